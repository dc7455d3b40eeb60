import type { ArmsComparison } from '../domain/comparison/compare-arms.js';
import { comparisonJson, nothingJson } from '../domain/comparison/comparison-json.js';
import { comparisonMarkdown, listMarkdown } from '../domain/comparison/comparison-markdown.js';
import {
  exitCodes,
  gateOf,
  type GateInput,
  type GateResult,
  type GateRules,
  type JudgedRow,
} from '../domain/comparison/gate.js';
import { labelOf, missingTexts, nothingText } from '../domain/comparison/lost-series.js';
import type { FileProblem } from '../domain/comparison/read-arm.js';
import { headlineOfGate, problemLine, viewOf } from '../domain/comparison/view.js';
import { textIn, type BothLanguages, type Locale } from '../domain/locale.js';
import { exit } from './command-error.js';
import { compareFiles, type CompareOptions, type FilesComparison } from './compare-files.js';
import { localeOf } from './option-values.js';
import { cleanText, screenOf, tableText } from './print-table.js';

export interface OutputOptions {
  readonly output?: 'table' | 'json' | 'markdown';
  readonly lang?: 'en' | 'zh';
}

/** Prints what comparing files says. Ends with 2 where a file cannot be read or no primary row can be compared. */
export async function compareCommand(files: readonly string[], options: CompareOptions & OutputOptions): Promise<void> {
  const compared = await compareFiles(files, options);
  printCompared(compared, null, options);
  const { outcome, problems } = compared;
  const isCompared =
    'rows' in outcome &&
    outcome.rows.some(({ role, result }) => role === 'PRIMARY' && result.verdict !== 'NOT_COMPARABLE');
  if (!isCompared || problems.some(isError)) process.exitCode = exit.UNJUDGED;
}

/** Prints the same with what a gate makes of it, and ends with 1 where it got worse, with 2 where nobody can say. */
export async function gateFiles(
  files: readonly string[],
  options: CompareOptions & OutputOptions,
  rules: GateRules,
): Promise<void> {
  const compared = await compareFiles(files, options);
  const gate = gateOf(gateInput(compared), rules);
  printCompared(compared, gate, options);
  process.exitCode = exitCodes[gate.outcome];
}

const isError = ({ severity }: FileProblem): boolean => severity === 'ERROR';

function gateInput({ outcome, problems }: FilesComparison): GateInput {
  const faults = problems.filter(isError).map(({ file, line, message }) => {
    const place = line === null ? file : `${file}:${line}`;
    return { en: `${place}: ${message.en}.`, zh: `${place}：${message.zh}。` };
  });
  if ('nothing' in outcome) return { rows: [], missing: [nothingText(outcome.nothing)], faults };
  const measured = new Set(outcome.rows.map(({ metric }) => metric.key));
  return { rows: judgedRows(outcome), missing: missingTexts(outcome, measured), faults };
}

export function judgedRows({ rows }: ArmsComparison): readonly JudgedRow[] {
  return rows.map(({ metric, dimensions, ...row }) => ({
    ...row,
    label: labelOf(metric.key, dimensions),
  }));
}

function printCompared(compared: FilesComparison, gate: GateResult | null, options: OutputOptions): void {
  const { outcome, problems, arms } = compared;
  if (!('nothing' in outcome)) return printComparison(outcome, arms, problems, gate, options);
  printNothing(nothingText(outcome.nothing), problems, gate, options, localeOf(options.lang, process.env));
}

/** Prints a comparison of files, or of a trial, which has none. */
export function printComparison(
  outcome: ArmsComparison,
  arms: FilesComparison['arms'] | null,
  problems: readonly FileProblem[],
  gate: GateResult | null,
  options: OutputOptions,
): void {
  const locale = localeOf(options.lang, process.env);
  if (options.output === 'json') return printJson(comparisonJson(outcome, arms, problems, gate));
  const view = viewOf({ comparison: outcome, problems, gate }, locale);
  if (options.output === 'markdown') process.stdout.write(comparisonMarkdown(view));
  else process.stdout.write(tableText(view, screenOf(process.stdout, process.env)));
}

function printNothing(
  reason: BothLanguages,
  problems: readonly FileProblem[],
  gate: GateResult | null,
  { output }: OutputOptions,
  locale: Locale,
): void {
  if (output === 'json') return printJson(nothingJson(reason, problems, gate));
  const not = { en: 'Not compared', zh: '未能对比' };
  const headline = gate ? headlineOfGate(gate, locale) : textIn(not, locale);
  const lines = [textIn(reason, locale), ...problems.map((problem) => problemLine(problem, locale))];
  if (output === 'markdown') process.stdout.write(listMarkdown(headline, lines));
  else process.stdout.write(`${[headline, ...lines.map((line) => `- ${cleanText(line)}`)].join('\n')}\n`);
}

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
