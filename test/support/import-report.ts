import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import type * as given from './given.js';

export const IMPORT = `mutation($input: ImportRunInput!, $skip: Int = 0, $severity: ImportSeverity) {
  importRun(input: $input) {
    format candidates observationCount isKnown leftOutRuns leftOutValues problemCount errorCount warningCount wouldWriteCount
    mapping { name isRemembered }
    table { kind signature suggestedMapping columns { name examples } }
    problems(skip: $skip, severity: $severity) { line code value severity scope isBlocking message }
    observations(first: 3, skip: $skip) { metric { key } dimensions value }
    runs { id isNew status leftOut variant session environment workload factSources { key source }
      import { isPartial leftOutRuns leftOutValues problemCount problems { line code } } }
    wouldWrite { index isWritten knownRunId status tool variant session startedAt environment workload
      factSources { key source } observationCount leftOut }
  }
}`;

/** What an import answers; the spec says what is of interest. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Report = any;

/** Imports into the project of a team as its contributor, and gives the report; an error fails. */
export function importer(app: TestApp, team: () => given.Team) {
  return async (input: object, variables: object = {}): Promise<Report> => {
    const { project, contributor } = team();
    const all = { input: { projectId: project.id, fileName: 'result.txt', ...input }, ...variables };
    const { data, errors } = await app.as(contributor).send(IMPORT, all);
    expect(errors).toEqual([]);
    return data.importRun;
  };
}

export const codes = ({ problems }: Report): readonly string[] => problems.map(({ code }: { code: string }) => code);
