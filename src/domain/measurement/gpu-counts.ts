import type { FactValue } from './environment-diff.js';

type Source = 'FILE' | 'CALLER' | 'ENVIRONMENT';

/** Numbers of GPUs and nodes that do not fit together. */
export interface CountConflict {
  readonly kind: 'COUNTS';
  readonly said: readonly { readonly key: string; readonly value: number; readonly source: Source }[];
  /** Keys that are not kept. */
  readonly leftOut: readonly string[];
  /** Whether it can be explained: the run used fewer GPUs than there are. */
  readonly isPart: boolean;
  readonly isBlocking: boolean;
}

const keys = ['gpu.count', 'nodes.count', 'gpu.per_node'] as const;

/**
 * Whether the GPUs of a node, the nodes and the GPUs of all of them fit together. What an environment says gives way.
 * A machine with more GPUs than were used says nothing of the run; one with fewer is another machine, which blocks unless
 * it is meant. Keys that are in conflict already are not looked at, nor what the file says alone.
 */
export function countConflicts(
  facts: ReadonlyMap<string, FactValue>,
  sources: ReadonlyMap<string, Exclude<Source, 'FILE'>>,
  isMeant: (key: string) => boolean,
  blocked: ReadonlySet<string>,
): readonly CountConflict[] {
  if (keys.some((key) => blocked.has(key))) return [];
  const said = keys.flatMap((key) => {
    const value = countOf(facts.get(key));
    return value === null ? [] : [{ key, value, source: sources.get(key) ?? ('FILE' as const) }];
  });
  const misfit = misfitOf(new Map(said.map(({ key, value }) => [key, value])));
  if (misfit === null || said.every(({ source }) => source === 'FILE')) return [];
  const isPart = misfit === 'PART';
  const base = { kind: 'COUNTS', said, isPart, isBlocking: false } as const;
  const ofEnvironment = said.filter(({ source }) => source === 'ENVIRONMENT').map(({ key }) => key);
  if (ofEnvironment.length > 0) {
    const rest = new Map([...facts].filter(([key]) => !ofEnvironment.some((one) => one === key)));
    return [{ ...base, leftOut: ofEnvironment }, ...countConflicts(rest, sources, isMeant, blocked)];
  }
  if (said.some(({ key, source }) => source === 'CALLER' && isMeant(key))) return [{ ...base, leftOut: [] }];
  if (isPart && sources.get('gpu.per_node') === 'CALLER') return [{ ...base, leftOut: ['gpu.per_node'] }];
  return [{ ...base, leftOut: [], isBlocking: true }];
}

/** PART: there are more GPUs than the run used. FEWER: it used more than there are. */
function misfitOf(counts: ReadonlyMap<string, number>): 'PART' | 'FEWER' | null {
  const [all, nodes, perNode] = keys.map((key) => counts.get(key));
  if (all === undefined) return null;
  if (perNode === undefined) return nodes !== undefined && nodes > all ? 'FEWER' : null;
  if (nodes === undefined) return all % perNode === 0 ? null : 'PART';
  const there = perNode * nodes;
  return there === all ? null : there > all ? 'PART' : 'FEWER';
}

function countOf(value: FactValue | undefined): number | null {
  const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : null;
}
