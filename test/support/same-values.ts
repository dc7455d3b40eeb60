import type { ReadObservation } from '../../src/domain/importers/importer.js';
import type { ContentReading } from '../../src/domain/importers/index.js';

const pointOf = ({ metric, dimensions }: ReadObservation): string =>
  `${metric} ${JSON.stringify(Object.entries(dimensions).sort())}`;

const saidBy = ({ value, repeats }: ReadObservation): string =>
  JSON.stringify([value, ...(repeats ?? [])].map((number) => Number(number.toPrecision(10))));

function valuesOf({ reading }: ContentReading): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const observation of reading.runs.flatMap(({ observations }) => observations)) {
    const point = pointOf(observation);
    found.set(point, [...(found.get(point) ?? []), saidBy(observation)]);
  }
  return found;
}

/** The values that `now` has otherwise than `before`, and how many of `before` it lacks. */
export function changesOf(before: ContentReading, now: ContentReading): { readonly other: readonly string[]; readonly lost: number } {
  const [was, is] = [valuesOf(before), valuesOf(now)];
  const other = [...is].flatMap(([point, values]) =>
    values.filter((value) => !(was.get(point) ?? []).includes(value)).map((value) => `${point} ${was.get(point)?.join(' ') ?? '-'} -> ${value}`),
  );
  const lost = [...was].reduce((sum, [point, values]) => sum + Math.max(0, values.length - (is.get(point)?.length ?? 0)), 0);
  return { other, lost };
} // prettier-ignore

/** The problems that `before` does not have. */
export function addedTo(before: ContentReading, now: ContentReading): ContentReading['reading']['problems'] {
  const had = new Set(before.reading.problems.map(({ line, message }) => `${line} ${message.en}`));
  return now.reading.problems.filter(({ line, message }) => !had.has(`${line} ${message.en}`));
}

/** The numbers of `now` that `whole` has at no such point: of what was measured several times any part may be left. */
export function foreignValues(whole: ContentReading, now: ContentReading): readonly string[] {
  const known = new Map<string, Set<number>>();
  for (const observation of whole.reading.runs.flatMap(({ observations }) => observations)) {
    const numbers = known.get(pointOf(observation)) ?? new Set();
    for (const number of listedBy(observation)) numbers.add(number);
    known.set(pointOf(observation), numbers);
  }
  return now.reading.runs.flatMap(({ observations }) =>
    observations.flatMap((observation) => {
      const point = pointOf(observation);
      const other = listedBy(observation).filter((number) => !known.get(point)?.has(number));
      return other.length === 0 ? [] : [`${point} ${other.slice(0, 3).join()}`];
    }),
  );
}

function listedBy({ value, repeats, samples }: ReadObservation): readonly number[] {
  return (repeats ?? samples ?? [value]).map((number) => Number(number.toPrecision(10)));
}
