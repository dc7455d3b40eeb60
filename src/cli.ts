import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, CommanderError } from 'commander';
import { parseContent } from './domain/content/parse-content.js';
import { readContentFolder, shippedContent } from './features/content/content-files.js';
import { problemText } from './features/content/problem-text.js';
import { localService, type ServiceAnswer } from './local-service.js';
import { readConfig } from './platform/config.js';
import { explain, OperatorError } from './platform/explain.js';

const FIND_PROJECT = 'query($slug: String!) { project(slug: $slug) { id } }';
const IMPORT = `
  mutation($input: ImportRunInput!) {
    importRun(input: $input) {
      format
      observationCount
      runs { id isNew variant status }
      problems { line message isBlocking }
    }
  }`;

interface ImportOptions {
  readonly format?: string;
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
      readonly message: string;
      readonly isBlocking: boolean;
    }[];
  };
}

/** What the API answered, or an error with all that it complained about. */
function dataOf<T>({ data, errors }: ServiceAnswer): T {
  if (errors?.length) throw new OperatorError(errors.map(({ message }) => message).join('\n'));
  // The queries above say what comes back; the API keeps to its schema.
  return data as T;
}

/** `1 run`, `2 runs`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

async function checkContent(folder: string): Promise<void> {
  const parsed = parseContent(await readContentFolder(folder));
  if ('problems' in parsed) throw new OperatorError(problemText(parsed.problems));
  for (const { slug, release, sections } of parsed.catalog.checklists) {
    const items = sections.reduce((count, section) => count + section.items.length, 0);
    console.log(`${slug} ${release}: ${counted(sections.length, 'section')}, ${counted(items, 'item')}`);
  }
  const { metrics, hardware, capabilities, glossary } = parsed.catalog;
  const profiles = hardware.reduce((count, vendor) => count + vendor.profiles.length, 0);
  console.log(
    `${metrics.length} metrics, ${profiles} hardware profiles, ${capabilities.length} capabilities, ${glossary.length} terms`,
  );
  console.log('No problems.');
}

function variablesOf(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch (cause) {
    throw new OperatorError(`--variables is not JSON: ${String(cause)}`, { cause });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read: ${String(cause)}`, { cause });
  }
}

async function query(text: string, options: { variables?: string }): Promise<void> {
  const variables = variablesOf(options.variables ?? '{}');
  const service = await localService(readConfig(process.env));
  try {
    const answer = await service.ask(text, variables);
    console.log(JSON.stringify(answer, null, 2));
    if (answer.errors?.length) process.exitCode = 1;
  } finally {
    await service.close();
  }
}

async function importFiles(slug: string, files: readonly string[], options: ImportOptions): Promise<void> {
  const contents = await Promise.all(files.map(readText));
  const service = await localService(readConfig(process.env));
  try {
    const { project } = dataOf<{ project: { id: string } | null }>(await service.ask(FIND_PROJECT, { slug }));
    if (!project) throw new OperatorError(`There is no project "${slug}"`);
    for (const [index, content] of contents.entries()) {
      const file = files[index] ?? '';
      const input = { projectId: project.id, fileName: basename(file), content, ...options };
      const { importRun } = dataOf<ImportAnswer>(await service.ask(IMPORT, { input }));
      const { format, observationCount, runs, problems } = importRun;
      console.log(`${file}: ${format ?? 'not recognized'}, ${counted(observationCount, 'observation')}`);
      for (const { id, isNew, variant } of runs)
        console.log(`  run ${id} ${isNew ? 'new' : 'known'} ${variant ?? ''}`.trimEnd());
      for (const { line, message, isBlocking } of problems) {
        console.log(`  ${isBlocking ? 'error' : 'warning'}${line === null ? '' : ` in line ${line}`}: ${message}`);
        if (isBlocking) process.exitCode = 1;
      }
    }
  } finally {
    await service.close();
  }
}

const program = new Command('tunebook')
  .description('The command line of Tunebook. While a service runs on the data folder, commands go to it.')
  .exitOverride();

program
  .command('content')
  .description('Work on the content')
  .command('check')
  .description('Check all content files, and print every problem with its file, line and place')
  .argument('[folder]', 'the content folder', shippedContent)
  .action(checkContent);
program
  .command('query')
  .description('Ask the GraphQL API, and print the answer as JSON')
  .argument('<query>', 'the text of the query or mutation')
  .option('--variables <json>', 'its variables')
  .action(query);
program
  .command('import')
  .description('Import the output of benchmark tools into a project')
  .argument('<project>', 'slug of the project')
  .argument('<files...>', 'files to import')
  .option('--format <name>', 'the importer to use, where several match')
  .option('--session <name>', 'the session that the files were measured in')
  .option('--dry-run', 'say what would be written, and write nothing')
  .action(importFiles);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    console.error(explain(error));
    process.exitCode = 1;
  }
}
