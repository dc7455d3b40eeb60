import { Option, type Command } from 'commander';
import type { CompareOptions } from './compare-files.js';
import type { OutputOptions } from './compare.js';
import type { MeasureOptions } from './measure.js';
import type { ServerOptions } from './service-for.js';
import { usageError } from './command-error.js';
import { listed, repeated } from './option-values.js';
import type { GateRules } from '../domain/comparison/gate.js';

/** Adds the commands for measurements. What they do is loaded when one runs, so that none waits for the others. */
export function addMeasurementCommands(program: Command): void {
  addCompare(program);
  addGate(program);
  addMeasure(program);
}

/** The options of a comparison of files. */
function comparing(command: Command): Command {
  return command
    .argument('[files...]', 'two files or folders, before and after; - is the standard input')
    .option('--before <files...>', 'files and folders without the change, where there are several')
    .option('--after <files...>', 'files and folders with the change')
    .option('--format <name>', 'the importer to use, where several match a file')
    .option('--format-before <name>', 'the same for the files before')
    .option('--format-after <name>', 'the same for the files after')
    .option('--mapping <file>', 'what the columns of tables of your own mean, as `tunebook mapping` begins it')
    .option('--metric <keys>', 'the metrics that decide; where absent, the primary ones that both arms have', listed)
    .option('--unit <unit>', 'unit of one --metric of your own, also for files of plain numbers')
    .addOption(new Option('--direction <way>', 'which way such a metric is better').choices(['higher', 'lower']))
    .option('--guardrail <keys>', 'metrics that must not get worse; where absent, those of the catalog', listed)
    .option('--variable <keys>', 'keys of environment and workload that were meant to change', listed)
    .option('--threshold <fraction>', 'smallest gain that matters, such as 0.02 or 2%')
    .option('--noise-floor <fraction>', 'what this setup cannot resolve, from A/A runs: lets single runs be judged')
    .option('--session-before <name>', 'the session of the files before: one allocation of the machine')
    .option('--session-after <name>', 'the session of the files after')
    .option('--separate-sessions', 'each file is of a session of its own')
    .option('--pairs', 'the files before and after were measured in pairs, in this order')
    .option('--where <key=value>', 'compare only this point, such as concurrency=8', repeated)
    .option('--set <key=value>', 'a fact that the files lack, such as driver=580.65', repeated)
    .option('--set-before <key=value>', 'such a fact of the files before', repeated)
    .option('--set-after <key=value>', 'such a fact of the files after', repeated)
    .option('--all', 'also show the metrics that decide nothing')
    .addOption(outputOption())
    .addOption(new Option('--lang <language>', 'language; that of the shell where absent').choices(['en', 'zh']));
}

function outputOption(): Option {
  return new Option('--output <form>', 'how to print it').choices(['table', 'json', 'markdown']).default('table');
}

function addCompare(program: Command): void {
  comparing(program.command('compare'))
    .description('Compare the output of benchmark tools, before and after a change, without any server')
    .addHelpText(
      'after',
      [
        '',
        'Ends with 0 where it compared, 2 where it could not or a file cannot be read, 64 for a wrong command line.',
        '',
        'Example: tunebook compare --before a1.json a2.json --after b1.json b2.json --variable env.NCCL_ALGO',
      ].join('\n'),
    )
    .action(async (files: readonly string[], options: CompareOptions & OutputOptions) => {
      const { compareCommand } = await import('./compare.js');
      await compareCommand(files, options);
    });
}

interface GateOptions extends CompareOptions, OutputOptions, ServerOptions {
  readonly trial?: string;
  readonly project?: string;
  readonly failOn?: 'inconclusive';
  readonly allowMissing?: true;
  readonly requireEvidence?: 'indicative' | 'statistical';
}

function addGate(program: Command): void {
  atServer(comparing(program.command('gate')))
    .description('Compare as `compare` does, and fail where a change made something worse')
    .addOption(
      new Option('--fail-on <what>', 'also end with 2 where the data settle nothing').choices(['inconclusive']),
    )
    .option('--trial <trial>', 'judge this trial of a server, instead of files: its id, or its hypothesis')
    .option('--project <slug>', 'the project of the trial, where it is named by its hypothesis')
    .option('--allow-missing', 'let metrics be missing after that were there before, and files that cannot be used')
    .addOption(
      new Option('--require-evidence <level>', 'end with 2 where the evidence is weaker').choices([
        'indicative',
        'statistical',
      ]),
    )
    .addHelpText(
      'after',
      [
        '',
        'Ends with 0 where nothing is shown to be worse, 1 where something is, 2 where it cannot be judged, 64 for a',
        'wrong command line. What is inconclusive passes, and says so.',
        '',
        'Example: tunebook gate --before main/*.json --after branch/*.json --separate-sessions --output markdown',
      ].join('\n'),
    )
    .action(async (files: readonly string[], options: GateOptions) => {
      const { failOn, allowMissing, requireEvidence, trial } = options;
      const rules: GateRules = {
        onInconclusive: failOn === 'inconclusive' ? 'REFUSE' : 'PASS',
        onMissing: allowMissing ? 'ALLOW' : 'REFUSE',
        requiredEvidence:
          requireEvidence === 'statistical'
            ? 'STATISTICAL'
            : requireEvidence === 'indicative'
              ? 'INDICATIVE'
              : 'SINGLE_RUN',
      };
      if (options.project !== undefined && trial === undefined) throw usageError('--project is of a --trial');
      if (trial !== undefined) await (await import('./gate-trial.js')).gateTrial(trial, files, options, rules);
      else await (await import('./compare.js')).gateFiles(files, options, rules);
    });
}

/** Where the API is. */
function atServer(command: Command): Command {
  return command
    .option('--server <address>', 'the server; TUNEBOOK_SERVER where absent, and without either the local instance')
    .option('--token <token>', 'its service token; TUNEBOOK_TOKEN keeps it out of lists of processes')
    .option('--retries <count>', 'how often to try again where the network or the server fails', '4')
    .option('--timeout <seconds>', 'how long to wait for an answer', '120');
}

function addMeasure(program: Command): void {
  atServer(program.command('measure'))
    .description('Send the output of benchmark tools to a project, from CI or into the local instance')
    .argument('<project>', 'slug of the project')
    .argument('[files...]', 'files and folders; - is the standard input')
    .option('--before <files...>', 'files and folders without the change, where both arms are sent at once')
    .option('--after <files...>', 'files and folders with the change')
    .option('--format <name>', 'the importer to use, where several match a file')
    .option('--mapping <file>', 'what the columns of tables of your own mean, as `tunebook mapping` begins it')
    .option('--mapping-name <name>', 'with --mapping: remember it by this name; without: the remembered one to use')
    .option('--session <name>', 'the session that the files were measured in: one allocation of the machine')
    .option('--session-before <name>', 'the session of the files before')
    .option('--session-after <name>', 'the session of the files after')
    .option('--block <name>', 'the block that they share with files of the other arm')
    .option('--environment <file>', 'facts of the machine: a JSON object, or the output of nvidia-smi -q and others')
    .option('--detect', 'ask the tools of this machine for its facts')
    .option('--set <key=value>', 'a fact that the files lack, such as image=app:1.2', repeated)
    .option('--set-before <key=value>', 'such a fact of the files before', repeated)
    .option('--set-after <key=value>', 'such a fact of the files after', repeated)
    .option('--override <keys>', 'keys of facts in which what you say is to stand against the file', listed)
    .option('--commit <sha>', 'the commit that was measured; that of the pipeline where absent')
    .option('--image-digest <digest>', 'the digest of the container image that was measured')
    .addOption(new Option('--arm <arm>', 'make the runs an arm of a trial').choices(['before', 'after']))
    .option('--trial <trial>', 'the trial that gets them, planned or with runs: its id, or its hypothesis')
    .option('--item <item>', 'or the audit item of a new trial: its id, or its key as precision/tf32')
    .option('--audit <audit>', 'the audit of that item, where several have it: its id or its title')
    .option('--other-arm <ids>', 'ids of the runs of the arm that the files are not of', listed)
    .option('--metric <key>', 'its primary metric, and that of files of plain numbers')
    .option('--unit <unit>', 'unit of files of plain numbers')
    .addOption(new Option('--direction <way>', 'which way they are better').choices(['higher', 'lower']))
    .option('--guardrail <keys>', 'its guardrails', listed)
    .option('--variable <keys>', 'keys of environment and workload that were meant to change', listed)
    .option('--threshold <fraction>', 'smallest gain that matters, such as 0.02 or 2%')
    .option('--hypothesis <text>', 'what is expected of the change')
    .option('--dry-run', 'say what would be written, and write nothing')
    .addOption(new Option('--output <form>', 'how to print it').choices(['text', 'ids', 'json']).default('text'))
    .addOption(
      new Option('--lang <language>', 'language of the verdict; that of the shell where absent').choices(['en', 'zh']),
    )
    .addHelpText(
      'after',
      [
        '',
        'Ends with 0 where all runs are written or known, 1 where something is refused, 2 where the server cannot be',
        'reached, 64 for a wrong command line. Sending again what was sent writes nothing twice, trials included.',
        '',
        'A file above 4 MiB is uploaded as evidence first, streamed from the disk; a dry run keeps nothing of any file.',
        '',
        'Examples:',
        '  TUNEBOOK_SERVER=https://tunebook.example.org tunebook measure demo results/*.json --session "$CI_JOB_ID"',
        '  tunebook measure demo --before a*.json --after b*.json --item precision/tf32 --metric training.step_time',
      ].join('\n'),
    )
    .action(async (project: string, files: readonly string[], options: MeasureOptions) => {
      const { measureCommand } = await import('./measure.js');
      await measureCommand(project, files, options);
    });
}
