import { basename } from 'node:path';
import { isPlainNumbers } from '../domain/comparison/plain-values.js';
import { inCommandWords } from '../domain/importers/caller-words.js';
import { dataOf, withService } from '../local-service.js';
import { OperatorError } from '../platform/operator-error.js';
import { counted } from './counted.js';
import { readInputs, refusedWhereUnread } from './input-files.js';
import { checkMappingOptions, mappingIn } from './mapping-file.js';

const FIND_PROJECT = 'query($slug: String!) { project(slug: $slug) { id } }';
const IMPORT = `
  mutation($input: ImportRunInput!) {
    importRun(input: $input) {
      format
      observationCount
      runs { id isNew variant status }
      problems { line code message isBlocking }
    }
  }`;

export interface ImportOptions {
  readonly format?: string;
  readonly mapping?: string;
  readonly mappingName?: string;
  readonly session?: string;
  readonly dryRun?: true;
}

interface ImportAnswer {
  readonly importRun: {
    readonly format: string | null;
    readonly observationCount: number;
    readonly runs: readonly { readonly id: string; readonly isNew: boolean; readonly variant: string | null }[];
    readonly problems: readonly {
      readonly line: number | null;
      readonly code: string;
      readonly message: string;
      readonly isBlocking: boolean;
    }[];
  };
}

/** Imports files into a project of the local instance, and prints the runs that they became. */
export async function importFiles(
  slug: string,
  paths: readonly string[],
  { mapping: mappingPath, ...options }: ImportOptions,
): Promise<void> {
  checkMappingOptions({ ...options, mapping: mappingPath });
  const mapping = mappingPath === undefined ? null : await refusedWhereUnread(() => mappingIn(mappingPath));
  const files = await refusedWhereUnread(() => readInputs(paths));
  await withService(async (service) => {
    const { project } = dataOf<{ project: { id: string } | null }>(await service.ask(FIND_PROJECT, { slug }));
    if (!project) throw new OperatorError(`There is no project "${slug}"`);
    for (const { name, text } of files) {
      const fileName = name === '-' ? 'stdin' : basename(name);
      const input = { projectId: project.id, fileName, content: text, mapping, ...options };
      const { importRun } = dataOf<ImportAnswer>(await service.ask(IMPORT, { input }));
      const { format, observationCount, runs, problems } = importRun;
      console.log(`${name}: ${format ?? 'not recognized'}, ${counted(observationCount, 'observation')}`);
      for (const { id, isNew, variant } of runs)
        console.log(`  run ${id} ${isNew ? 'new' : 'known'} ${variant ?? ''}`.trimEnd());
      for (const { line, code, message, isBlocking } of problems) {
        const said = code === 'UNRECOGNIZED' && isPlainNumbers(text) ? plainNumbersHere : inCommandWords(message);
        console.log(`  ${isBlocking ? 'error' : 'warning'}${line === null ? '' : ` in line ${line}`}: ${said}`);
        if (isBlocking) process.exitCode = 1;
      }
    }
  });
}

const plainNumbersHere =
  'The file holds nothing but numbers: `tunebook measure` takes it, with --metric, --unit and --direction that say what they are';
