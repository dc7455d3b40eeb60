import { parse } from 'yaml';
import { metricsFile } from '../../src/domain/content/schema.js';
import type { ReadObservation, ReadRun } from '../../src/domain/importers/importer.js';
import { type ContentReading, importers } from '../../src/domain/importers/index.js';
import { convert, dimensionOf, LARGEST_VALUE } from '../../src/domain/measurement/unit.js';
import { textAt } from './tool-output.js';

const metrics = new Map(
  metricsFile.parse(parse(textAt('../content/metrics.yaml'))).map(({ key, unit }) => [key, unit]),
);
const tools = new Set(importers.map(({ tool }) => tool));

/**
 * What no reading may say, whatever was read: numbers that are none, metrics and units that nobody knows, two values of one
 * point, runs and problems that contradict each other.
 */
export function readingFaults({ format, candidates, reading }: ContentReading): readonly string[] {
  const { runs, problems } = reading;
  const hasError = problems.some(({ severity }) => severity === 'ERROR');
  return [
    ...(runs.length + problems.length === 0 ? ['neither runs nor problems'] : []),
    ...(runs.length === 0 && !hasError ? ['no runs, and no error says why'] : []),
    ...(format !== null && !tools.has(format) ? [`format ${format}`] : []),
    ...(format === null && candidates.length === 1 ? ['one candidate, and no format'] : []),
    ...(JSON.stringify(candidates).length > 50_000 ? ['long candidates'] : []),
    ...problems.flatMap(({ line, message }) => [
      ...(line !== null && !(Number.isInteger(line) && line >= 1) ? [`line ${line}`] : []),
      ...(message.en === '' || message.zh === '' ? ['empty message'] : []),
      ...(/undefined|\[object/.test(message.en) ? [`message ${message.en.slice(0, 200)}`] : []),
      ...(message.en.length > 2_000 ? [`message of ${message.en.length} characters`] : []),
    ]),
    ...runs.flatMap((run) => faultsOfRun(run)),
  ];
}

function faultsOfRun(run: ReadRun): readonly string[] {
  const points = run.observations.map(
    ({ metric, dimensions }) => `${metric} ${JSON.stringify(Object.entries(dimensions).sort())}`,
  );
  const twice = points.length - new Set(points).size;
  const facts = Object.values({ ...run.environment, ...run.workload });
  return [
    ...(twice > 0 ? [`${twice} points twice`] : []),
    ...(run.observations.length === 0 && run.status === 'OK' ? ['a run without observations is OK'] : []),
    ...(run.startedAt !== null && Number.isNaN(Date.parse(run.startedAt)) ? [`startedAt ${run.startedAt}`] : []),
    ...(facts.some((fact) => typeof fact === 'number' && !Number.isFinite(fact)) ? ['a fact that is no number'] : []),
    ...(facts.some((fact) => fact === undefined) ? ['a fact that is undefined'] : []),
    // People name the units of the laboratory format: whoever stores or compares says which do not fit
    ...run.observations.flatMap((one) => faultsOfObservation(one, run.tool === 'tunebook-lab' ? 'GIVEN' : 'KNOWN')),
  ];
}

function faultsOfObservation(observation: ReadObservation, units: 'GIVEN' | 'KNOWN'): readonly string[] {
  const { metric, value, unit, repeats = [], blocks, samples = [], distribution, dimensions } = observation;
  const catalogUnit = metrics.get(metric);
  const numbers = [value, ...repeats, ...samples, ...Object.values(distribution ?? {}).filter((each) => each !== null)];
  const isBad = (number: number) => !(Math.abs(number) <= LARGEST_VALUE);
  const isOfUnit = catalogUnit !== undefined && dimensionOf(unit) !== null && dimensionOf(unit) === dimensionOf(catalogUnit); // prettier-ignore
  const { min = null, p50 = null, max = null, count = 1, sd = null } = distribution ?? {};
  return [
    ...(numbers.some(isBad) ? [`${metric} is ${numbers.find(isBad)}`] : []),
    ...(catalogUnit === undefined ? [`metric ${metric}`] : []),
    ...(isOfUnit || units === 'GIVEN' ? [] : [`${metric} in ${unit}`]),
    ...(isOfUnit && isBad(convert(value, unit, catalogUnit)) ? [`${metric} is ${value} ${unit}`] : []),
    ...(blocks && blocks.length !== repeats.length ? [`${metric} has blocks without values`] : []),
    ...(repeats.length > 1_000 ? [`${repeats.length} repeats`] : []),
    ...(samples.length > 10_000 ? [`${samples.length} samples`] : []),
    ...(count < 0 || !Number.isFinite(count) || (sd ?? 0) < 0 ? [`${metric} has a distribution of ${count}, sd ${sd}`] : []),
    ...(samples.length > 0 && ((min ?? p50 ?? 0) > 1.02 * Math.abs(p50 ?? min ?? 0) || (p50 ?? max ?? 0) > 1.02 * Math.abs(max ?? p50 ?? 0)) ? [`${metric}: min ${min}, p50 ${p50}, max ${max}`] : []),
    ...Object.entries(dimensions).flatMap(([name, at]) => [
      ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [`dimension ${name}`]),
      ...(typeof at === 'number' && !Number.isFinite(at) ? [`dimension ${name} is ${at}`] : []),
    ]),
  ]; // prettier-ignore
}
