import { compareArms, type ArmsComparison, type NothingInCommon } from '../domain/comparison/compare-arms.js';
import {
  readArm,
  type ArmFile,
  type ArmName,
  type ArmReading,
  type FileProblem,
} from '../domain/comparison/read-arm.js';
import { where } from '../domain/comparison/where.js';
import { DomainError } from '../domain/errors.js';
import { inCommandWords } from '../domain/importers/caller-words.js';
import type { ColumnMapping } from '../domain/importers/mapped/index.js';
import type { Facts } from '../domain/measurement/environment-diff.js';
import { convertGiven } from '../domain/measurement/given-unit.js';
import type { Direction, MetricDefinition } from '../domain/measurement/metric.js';
import { normalPrintedFacts } from '../domain/measurement/normal-facts.js';
import { convert, dimensionOf, unknownUnitText } from '../domain/measurement/unit.js';
import { catalogLists, type CatalogLists } from './catalog-lists.js';
import { usageError } from './command-error.js';
import { MOST_BYTES, readInputs } from './input-files.js';
import { checkMappingOptions, mappingIn } from './mapping-file.js';
import { factsOf, fraction, pairsOf } from './option-values.js';

/** The options that `compare` and `gate` share, as the command line gives them. */
export interface CompareOptions {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly format?: string;
  readonly formatBefore?: string;
  readonly formatAfter?: string;
  readonly mapping?: string;
  readonly metric?: readonly string[];
  readonly unit?: string;
  readonly direction?: 'higher' | 'lower';
  readonly guardrail?: readonly string[];
  readonly variable?: readonly string[];
  readonly threshold?: string;
  readonly noiseFloor?: string;
  readonly sessionBefore?: string;
  readonly sessionAfter?: string;
  readonly separateSessions?: true;
  readonly pairs?: true;
  readonly where?: readonly string[];
  readonly set?: readonly string[];
  readonly setBefore?: readonly string[];
  readonly setAfter?: readonly string[];
  readonly all?: true;
}

export interface FilesComparison {
  readonly arms: Readonly<Record<ArmName, ArmReading>>;
  readonly problems: readonly FileProblem[];
  readonly outcome: ArmsComparison | { readonly nothing: NothingInCommon };
}

/** Reads the files of both arms and compares them; no server, database or data folder has a part in it. */
export async function compareFiles(files: readonly string[], options: CompareOptions): Promise<FilesComparison> {
  const paths = armsOf(files, options);
  checkMappingOptions(options);
  const lists = withOwnMetric(await catalogLists(), options);
  const guardrails = options.guardrail ?? null;
  const unknown = [...(options.metric ?? []), ...(guardrails ?? [])].find((key) => !lists.metrics.has(key));
  if (unknown !== undefined) {
    throw usageError(`the metric "${unknown}" is not in the catalog: describe it by --unit and --direction`);
  }
  if ([...paths.before, ...paths.after].filter((path) => path === '-').length > 1) {
    throw usageError('the standard input (-) can be read once');
  }
  const mapping = options.mapping === undefined ? null : await mappingIn(options.mapping);
  const inputs = { BEFORE: await readInputs(paths.before), AFTER: await readInputs(paths.after) };
  return comparisonOf(inputs, { ...lists, mapping }, options);
}

type Catalog = CatalogLists & { readonly own: MetricDefinition | null; readonly mapping: ColumnMapping | null };

function comparisonOf(
  inputs: Readonly<Record<ArmName, readonly ArmFile[]>>,
  { metrics, tiers, words, own, mapping }: Catalog,
  options: CompareOptions,
): FilesComparison {
  if (options.pairs && inputs.BEFORE.length !== inputs.AFTER.length) {
    throw usageError(
      `--pairs needs as many files after as before, here ${inputs.BEFORE.length} before and ${inputs.AFTER.length} after`,
    );
  }
  const conditions = pairsOf(options.where ?? [], '--where').map(({ name, value }) => ({
    name,
    value: String(normalPrintedFacts({ [name]: value }, words)[name] ?? value),
  }));
  const both = factsOf(options.set ?? [], '--set');
  const read = (arm: ArmName, format: string | undefined, session: string | undefined, facts: Facts): ArmReading => {
    const reading = readArm(inputs[arm], {
      arm,
      format: format ?? options.format ?? null,
      mapping,
      session: session ?? null,
      sessions: options.separateSessions ? 'ONE_PER_FILE' : 'AS_READ',
      pairs: options.pairs ? 'BY_PLACE' : 'NONE',
      facts: { ...both, ...facts },
      ownMetric: own,
      metrics,
      words,
      maxBytes: MOST_BYTES,
    });
    return { ...reading, problems: reading.problems.map(inOurWords), runs: where(reading.runs, conditions) };
  };
  const { formatBefore, formatAfter, sessionBefore, sessionAfter } = options;
  const arms = {
    BEFORE: read('BEFORE', formatBefore, sessionBefore, factsOf(options.setBefore ?? [], '--set-before')),
    AFTER: read('AFTER', formatAfter, sessionAfter, factsOf(options.setAfter ?? [], '--set-after')),
  };
  const outcome = compareArms({
    before: arms.BEFORE.runs,
    after: arms.AFTER.runs,
    primary: options.metric ?? null,
    guardrails: options.guardrail ?? null,
    others: options.all ? 'ALL' : 'NONE',
    variable: options.variable ?? [],
    threshold: options.threshold === undefined ? null : fraction(options.threshold, '--threshold'),
    noiseFloor: options.noiseFloor === undefined ? null : fraction(options.noiseFloor, '--noise-floor'),
    metrics,
    tiers,
  });
  return { arms, problems: [...arms.BEFORE.problems, ...arms.AFTER.problems, ...sameInBoth(inputs, arms)], outcome };
}

function inOurWords(problem: FileProblem): FileProblem {
  const { en, zh } = problem.message;
  return { ...problem, message: { en: inCommandWords(en), zh: inCommandWords(zh) } };
}

/** The paths of each arm: of the options, or of two arguments. */
function armsOf(
  files: readonly string[],
  { before = [], after = [] }: CompareOptions,
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [first, second, ...more] = files;
  if (before.length + after.length === 0) {
    if (first !== undefined && second !== undefined && more.length === 0) return { before: [first], after: [second] };
    throw usageError(
      `two files or folders are compared, before and after, and ${files.length} were given; for several files an arm write --before a b --after c d`,
    );
  }
  if (files.length > 0) throw usageError(`say of "${files.join(' ')}" whether it is --before or --after`);
  if (before.length === 0 || after.length === 0) throw usageError('both --before and --after are needed');
  return { before, after };
}

const directions: Readonly<Record<'higher' | 'lower', Direction>> = {
  higher: 'HIGHER_IS_BETTER',
  lower: 'LOWER_IS_BETTER',
};

/** What may be unknown of a metric of somebody's own: 2 % is the smallest effect that matters, as of a throughput. */
const OWN_SMALLEST_EFFECT = 0.02;

/**
 * The lists with the metric that --unit and --direction describe: a new one, or one of the catalog in another unit of its
 * dimension, or with a direction that the catalog leaves open. A direction that contradicts the catalog is refused.
 */
function withOwnMetric(
  lists: CatalogLists,
  { metric: keys = [], unit, direction }: CompareOptions,
): CatalogLists & { readonly own: MetricDefinition | null } {
  if (unit === undefined && direction === undefined) return { ...lists, own: null };
  const [key, ...others] = keys;
  if (key === undefined || others.length > 0) throw usageError('--unit and --direction describe one --metric');
  const known = lists.metrics.get(key);
  const own = known ? inAnotherUnit(known, unit, direction) : newMetric(key, unit, direction);
  return { ...lists, metrics: new Map(lists.metrics).set(key, own), own };
}

function inAnotherUnit(
  known: MetricDefinition,
  unit: string | undefined,
  direction: 'higher' | 'lower' | undefined,
): MetricDefinition {
  const wanted = direction === undefined ? known.direction : directions[direction];
  if (known.direction !== null && wanted !== known.direction) {
    throw usageError(`the catalog says of ${known.key} ${known.direction}, so it is not "${direction}"`);
  }
  if (unit === undefined) return { ...known, direction: wanted };
  refuseOtherDimension(known, unit);
  const target = known.target === null ? null : convert(known.target, known.unit, unit);
  return { ...known, direction: wanted, target, unit };
}

function refuseOtherDimension({ key, unit: own, dimension }: MetricDefinition, unit: string): void {
  const found = dimensionOf(unit);
  if (found === null) throw unknownUnit(unit, own);
  if (found !== dimension) throw usageError(`${key} is in ${own}, and "${unit}" measures another dimension`);
  try {
    convertGiven(1, unit, { key, unit: own });
  } catch (fault) {
    throw fault instanceof DomainError ? usageError(fault.text.en) : fault;
  }
}

function unknownUnit(unit: string, goal: string | null) {
  return usageError(unknownUnitText(unit, goal).text.en.replace(/\.$/, ''));
}

function newMetric(key: string, unit: string | undefined, direction: 'higher' | 'lower' | undefined): MetricDefinition {
  if (unit === undefined || direction === undefined) {
    throw usageError(`the metric "${key}" is not in the catalog: describe it by both --unit and --direction`);
  }
  const dimension = dimensionOf(unit);
  if (dimension === null) throw unknownUnit(unit, null);
  return {
    key,
    unit,
    dimension,
    direction: directions[direction],
    target: null,
    isExact: false,
    smallestEffect: OWN_SMALLEST_EFFECT,
    role: 'PRIMARY',
  };
}

/** One measurement cannot be both sides of a change. */
function sameInBoth(
  { BEFORE, AFTER }: Readonly<Record<ArmName, readonly ArmFile[]>>,
  arms: Readonly<Record<ArmName, ArmReading>>,
): readonly FileProblem[] {
  const names = new Map(BEFORE.map(({ name, text }) => [text, name]));
  const files = AFTER.flatMap(({ name, text }): FileProblem[] => {
    const twin = names.get(text);
    if (twin === undefined) return [];
    const message = {
      en: `The content is that of ${twin}, which is in the other arm: this compares a measurement with itself`,
      zh: `内容与另一组的 ${twin} 相同：这是拿同一次测量与自身对比`,
    };
    return [{ arm: 'AFTER', file: name, line: null, severity: 'ERROR', message }];
  });
  const told = new Set(files.map(({ file }) => file));
  const results = [...arms.AFTER.contents].flatMap(([content, file]): FileProblem[] => {
    const twin = arms.BEFORE.contents.get(content);
    if (twin === undefined || told.has(file)) return [];
    const message = {
      en: `A result is that of ${twin}, which is in the other arm: this compares a measurement with itself`,
      zh: `有结果与另一组的 ${twin} 完全相同：这是拿同一次测量与自身对比`,
    };
    return [{ arm: 'AFTER', file, line: null, severity: 'ERROR', message }];
  });
  return [...files, ...results];
}
