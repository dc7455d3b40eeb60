import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import type { ChecklistImportOptions } from './checklist-commands.js';
import { CommandError, exit, usageError } from './commands/command-error.js';
import type { ImportOptions } from './commands/import-files.js';
import { addMeasurementCommands } from './commands/measurement-commands.js';
import { addTokenCommands } from './commands/token-commands.js';
import type { DetectOptions } from './detect-command.js';
import { shippedContent } from './features/content/content-files.js';
import { OperatorError } from './platform/operator-error.js';
import { root } from './platform/root.js';

// What a command does is loaded when it runs: comparing two files waits neither for the database nor for the content.

function variablesOf(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch (cause) {
    throw usageError(`--variables is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function query(text: string, options: { variables?: string }): Promise<void> {
  const { withService } = await import('./local-service.js');
  const variables = variablesOf(options.variables ?? '{}');
  const answer = await withService((service) => service.ask(text, variables));
  console.log(JSON.stringify(answer, null, 2));
  if (answer.errors?.length) process.exitCode = 1;
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}

const program = new Command('tunebook')
  .description('The command line of Tunebook. While a service runs on the data folder, commands go to it.')
  .version(versionOf(), '--version', 'print the version')
  .addHelpText('after', '\nEnds with 64 for a wrong command line. `tunebook <command> --help` says what else.')
  .exitOverride();

const content = program.command('content').description('Work on the content');
content
  .command('check')
  .description(
    'Check all content files: print what each section holds, and every problem with its file, line and place',
  )
  .argument('[folder]', 'the content folder', shippedContent)
  .action(async (folder: string) => (await import('./content-commands.js')).checkContent(folder));
content
  .command('translated')
  .description('Record which English each Chinese text was made from, after a change of both')
  .argument('[folder]', 'the content folder', shippedContent)
  .option('--accept <texts...>', 'section/topic, or section/topic#field, whose Chinese is right for the new English')
  .action(async (folder: string, options: { accept?: readonly string[] }) =>
    (await import('./content-commands.js')).recordTranslations(folder, options),
  );
content
  .command('import')
  .description('Import a checklist of your own: a YAML bundle, Markdown, or English with its Chinese translation')
  .argument('<file>', 'the file')
  .addOption(
    new Option('--format <name>', 'the format, where it is not recognized').choices([
      'bundle',
      'markdown',
      'bilingual-text',
    ]),
  )
  .option('--slug <name>', 'the name of the checklist')
  .option(
    '--release <version>',
    'the version of its release; where absent, the release that the file itself names holds, else the next one',
  )
  .option('--team <slug>', 'the team that it is for')
  .option('--items', 'print every item')
  .option('--dry-run', 'say what would be written, and write nothing')
  .action(async (file: string, options: ChecklistImportOptions) =>
    (await import('./checklist-commands.js')).importChecklist(file, options),
  );
content
  .command('export')
  .description('Write a checklist, shipped or your own, as a YAML bundle that can be imported again')
  .argument('<slug>', 'slug of the checklist')
  .option('--release <version>', 'the version; the newest where absent')
  .option('--output <file>', 'the file to write; printed where absent')
  .action(async (slug: string, options: { release?: string; output?: string }) =>
    (await import('./checklist-commands.js')).exportChecklist(slug, options),
  );
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
  .argument('<files...>', 'files and folders to import; - is the standard input')
  .option('--format <name>', 'the importer to use, where several match')
  .option('--mapping <file>', 'what the columns of a table of your own mean, as `tunebook mapping` begins it')
  .option('--mapping-name <name>', 'with --mapping: remember it by this name; without: the remembered one to use')
  .option('--session <name>', 'the session that the files were measured in')
  .option('--dry-run', 'say what would be written, and write nothing')
  .action(async (slug: string, files: readonly string[], options: ImportOptions) =>
    (await import('./commands/import-files.js')).importFiles(slug, files, options),
  );
program
  .command('formats')
  .description('Print the formats that are read: their names, how they are recognized, and what writes them')
  .option('--json', 'print JSON')
  .action(async (options: { json?: true }) => (await import('./commands/formats.js')).printFormats(options));
program
  .command('mapping')
  .description('Print what the columns of a table of your own may mean, as a file to be looked at for --mapping')
  .argument('<file>', 'a CSV, TSV, Markdown table or JSON; - is the standard input')
  .action(async (file: string) => (await import('./commands/suggest-mapping.js')).suggestMapping(file));

program
  .command('recompute')
  .description('Compute the trials of a project anew, by the method and the noise floors of today')
  .argument('<project>', 'slug of the project')
  .option('--dry-run', 'say which verdicts would change, and write nothing')
  .action(async (slug: string, options: { dryRun?: true }) =>
    (await import('./recompute-command.js')).recomputeProject(slug, options),
  );

program
  .command('detect')
  .description('Read the facts of a machine from the output of nvidia-smi, topo -m, lscpu, collect_env and other tools')
  .argument('[files...]', 'files with the output of one tool or several; the standard input where absent')
  .option('--project <slug>', 'write the facts into an environment of this project, created or changed')
  .option('--environment <name>', 'its name; "default" where absent')
  .option('--replace', 'put the machine in the place of another one that the environment describes')
  .option('--dry-run', 'say what would change, and write nothing')
  .option('--json', 'print JSON')
  .action(async (files: readonly string[], options: DetectOptions) =>
    (await import('./detect-command.js')).detectMachine(files, options),
  );

addTokenCommands(program);
addMeasurementCommands(program);

/** Commands whose exit code 1 says something of measurements, so that it must say nothing else. */
const measuring = ['compare', 'gate', 'measure'];

function codeFor(error: unknown): number {
  const isMeasuring = measuring.includes(process.argv[2] ?? '');
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exit.USAGE;
  return isMeasuring ? exit.FAULT : 1;
}

// What cannot be printed, as to a reader who went away or to a full disk, is a fault: never a finding
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (stream === process.stdout && error.code !== 'EPIPE')
      console.error(`The output cannot be written: ${error.message}`);
    process.exit(codeFor(error));
  });
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof OperatorError) console.error(error.message);
  else if (!(error instanceof CommanderError)) console.error((await import('./platform/explain.js')).explain(error));
  process.exitCode = codeFor(error);
}
