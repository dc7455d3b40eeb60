import { randomUUID } from 'node:crypto';
import type { ArmName } from '../domain/comparison/read-arm.js';
import { inCommandWords } from '../domain/importers/caller-words.js';
import type { ColumnMapping } from '../domain/importers/mapped/index.js';
import { dataOf, type LocalService } from '../local-service.js';
import type { CheckedFile } from './check-trial.js';
import { withOptions, type GivenFacts, type SaidProblem } from './machine-facts.js';
import { contentOf, type MeasuredFile, type SentContent } from './measure-files.js';
import { REPORT_FIELDS, type FileProblemReport, type FileReport } from './measure-report.js';
import { plainFile, type PlainOptions } from './plain-file.js';
import { isOnOnePage, previewQuery, previewsIn } from './previewed-runs.js';

const IMPORT = `mutation($input: ImportRunInput!) { importRun(input: $input) { ${REPORT_FIELDS} } }`;

export interface SendingOptions extends PlainOptions {
  readonly format?: string;
  readonly mapping?: string;
  readonly mappingName?: string;
  readonly dryRun?: true;
}

/** A file with what a dry run showed of it, and what is printed of that. */
export interface PreviewedFile extends CheckedFile {
  readonly report: FileReport;
}

/** What is said of a file beside its content: the input of its import, and which option gave which facts. */
export interface FileContext {
  readonly input: object;
  readonly given: readonly GivenFacts[];
}

/** What all files of a command share. */
export interface Sending {
  readonly service: LocalService;
  readonly projectId: string;
  readonly contextOf: (arm: ArmName | null) => FileContext;
  readonly mapping: ColumnMapping | null;
  readonly options: SendingOptions;
  /** What was uploaded, so that it is not sent again. */
  readonly uploaded: Map<MeasuredFile, SentContent>;
}

/** What a dry run says of each file. */
export async function checkedFiles(
  sending: Sending,
  files: readonly MeasuredFile[],
): Promise<readonly PreviewedFile[]> {
  const checked: PreviewedFile[] = [];
  for (const file of files) {
    const input = await inputFor(sending, file, sending.options.dryRun ? 'KEEP_NOTHING' : 'KEEP');
    if ('problem' in input) {
      checked.push({ file, runs: [], areAll: true, report: unsent(file, input.problem) });
      continue;
    }
    const ask = async (count: number) =>
      dataOf<{ importRun: Importing }>(
        await sending.service.ask(previewQuery(count), { input: { ...input, dryRun: true } }),
      ).importRun;
    const first = await ask(0);
    const importRun = isOnOnePage(first.observationCount) ? first : await ask(first.observationCount);
    const { runs, areAll } = previewsIn(importRun);
    checked.push({ file, runs, areAll, report: { ...reportOf(sending, file, importRun), wouldWrite: runs } });
  }
  return checked;
}

/** Writes a file, and says what became of it. */
export async function written(sending: Sending, file: MeasuredFile): Promise<FileReport> {
  const input = await inputFor(sending, file, 'KEEP');
  if ('problem' in input) return unsent(file, input.problem);
  // sent again by whoever does not get the answer
  const again = { ...input, dryRun: false, clientMutationId: randomUUID() };
  const { importRun } = dataOf<{ importRun: Importing }>(await sending.service.ask(IMPORT, { input: again }));
  return reportOf(sending, file, importRun);
}

type Importing = Omit<FileReport, 'file' | 'arm' | 'wouldWrite' | 'problems'> & {
  readonly problems: readonly SaidProblem[];
} & Readonly<Record<string, unknown>>;

function reportOf({ contextOf }: Sending, { given, arm }: MeasuredFile, importing: Importing): FileReport {
  const { format, observationCount, wouldWriteCount, candidates, runs } = importing;
  const { given: facts } = contextOf(arm);
  const problems = importing.problems.map((problem) =>
    withOptions({ ...problem, message: inCommandWords(problem.message) }, facts),
  );
  return { file: given, arm, format, observationCount, wouldWriteCount, candidates, runs, problems };
}

/** A file that the server is not asked about. */
function unsent({ given, arm }: MeasuredFile, problem: FileProblemReport): FileReport {
  const nothing = { format: null, observationCount: 0, wouldWriteCount: 0, candidates: [], runs: [], wouldWrite: [] };
  return { file: given, arm, ...nothing, problems: [problem] };
}

/** What is asked of a file; plain numbers become a table with the metric that the options name. */
async function inputFor(sending: Sending, file: MeasuredFile, keeping: 'KEEP' | 'KEEP_NOTHING') {
  const { projectId, contextOf, options } = sending;
  const { mappingName = null } = options;
  const isNamed = (options.format ?? options.mapping ?? options.mappingName) !== undefined;
  const plain = isNamed ? null : await plainFile(file.path, options);
  if (plain && 'problem' in plain) return plain;
  const content = plain ? { content: plain.content } : await contentFor(sending, file, keeping);
  const mapping = plain ? plain.mapping : sending.mapping;
  return { projectId, fileName: file.name, ...content, ...contextOf(file.arm).input, mapping, mappingName };
}

async function contentFor(
  { service, projectId, uploaded }: Sending,
  file: MeasuredFile,
  keeping: 'KEEP' | 'KEEP_NOTHING',
): Promise<SentContent> {
  const known = uploaded.get(file);
  if (known) return known;
  const content = await contentOf(service, projectId, file, keeping);
  if ('evidenceId' in content) uploaded.set(file, content);
  return content;
}
