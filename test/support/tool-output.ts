import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { ReadObservation, ReadRun } from '../../src/domain/importers/importer.js';
import { importers, readContent, type ContentReading } from '../../src/domain/importers/index.js';

/** A place relative to the folder of the specs. */
export const pathTo = (place: string): string => fileURLToPath(new URL(`../${place}`, import.meta.url));
/** The text of a file, inflated where its name ends in `.gz`. */
export const textAt = (place: string): string => {
  const content = readFileSync(pathTo(place));
  return (place.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8');
};
export const fixture = (name: string): string => textAt(`fixtures/importers/${name}`);
export const readFixture = (name: string): ContentReading => readContent(fixture(name));

/** Every fixture and the tool that wrote it. */
export const fixtures = importers.flatMap(({ tool }) =>
  readdirSync(pathTo(`fixtures/importers/${tool}`)).map((file) => ({ tool, name: `${tool}/${file}` })),
);

export function onlyRun({ reading }: ContentReading): ReadRun {
  const [run, second] = reading.runs;
  if (!run || second) throw new Error(`one run expected, ${reading.runs.length} found`);
  return run;
}

export function observation(
  run: ReadRun,
  metric: string,
  dimensions: ReadObservation['dimensions'] = {},
): ReadObservation {
  const found = run.observations.filter(
    (each) => each.metric === metric && JSON.stringify(each.dimensions) === JSON.stringify(dimensions),
  );
  if (found.length !== 1 || !found[0]) throw new Error(`${metric} occurs ${found.length} times`);
  return found[0];
}

/** Problems as `SEVERITY line text`. */
export const messages = ({ reading }: ContentReading): readonly string[] =>
  reading.problems.map(({ severity, line, message }) => `${severity} ${line ?? '-'} ${message.en}`);

export const values = (run: ReadRun): Readonly<Record<string, number>> =>
  Object.fromEntries(run.observations.map(({ metric, value }) => [metric, value]));
