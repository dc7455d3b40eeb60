import { describe, expect, it } from '@jest/globals';
import { contentFixture } from '../../../test/support/content-fixture.js';
import { parseContent } from './parse-content.js';

/** A file of the laboratory format: one value for each of eight interleaved rounds. */
function measured(variant: string, samples: readonly number[], metric = 'time', unit = 'ms'): string {
  return JSON.stringify({
    tool: 'tunebook-lab', format_version: 1, experiment: 'steam', variant, label: variant, metric, unit,
    direction: 'lower', samples, environment: { gpu: 'NVIDIA H200', gpu_count: 1 }, settings: { steam: variant },
    measurement: { rounds: 8, samples_per_round: 1, interleaved: true },
  }); // prettier-ignore
}

const slow = [100, 101, 99, 100.5, 99.5, 100, 101.5, 98.5];
const faster = slow.map((value) => value / 2);
const metrics = `
- { key: time.elapsed, name: { en: Time, zh: 时间 }, unit: ms, dimension: time, direction: LOWER_IS_BETTER, smallestEffect: 0.02, role: PRIMARY }
- { key: memory.peak_allocated, name: { en: Memory, zh: 显存 }, unit: MiB, dimension: data-size, direction: LOWER_IS_BETTER, smallestEffect: 0.005, role: SECONDARY }
`;
const note = (changes: Record<string, unknown> = {}) =>
  JSON.stringify({
    title: { en: 'Steam halves the time', zh: '蒸汽使时间减半' },
    body: { en: 'It rises.', zh: '会膨胀。' },
    caveats: { en: 'One oven.', zh: '只有一台烤箱。' },
    outcome: 'HELPED',
    hardware: 'oven-one',
    measuredOn: '2026-11-29',
    change: { steam: { before: false, after: true } },
    items: ['bread:oven/steam'],
    tags: ['heat'],
    measurements: [{ role: 'primary', before: 'before.json', after: 'after.json' }],
    ...changes,
  });

function parsed(extra: Readonly<Record<string, string>>) {
  const files = contentFixture('valid');
  files.set('metrics.yaml', `${files.get('metrics.yaml')}${metrics}`);
  for (const [path, text] of Object.entries(extra)) files.set(`notes/steam-helps/${path}`, text);
  return parseContent(files);
}
const pair = { 'before.json': measured('dry', slow), 'after.json': measured('steamy', faster) };
const notesOf = (result: ReturnType<typeof parsed>) => ('catalog' in result ? result.catalog.notes : []);
const problemsOf = (result: ReturnType<typeof parsed>) =>
  'problems' in result ? result.problems.map(({ path, message }) => `${path} ${message.en}`) : [];

describe('reference notes', () => {
  it('carry what their measurements say by the method of the product', () => {
    const result = parsed({ 'note.yaml': note(), ...pair });
    expect(problemsOf(result)).toEqual([]);
    const [found] = notesOf(result);
    const [row] = found?.reading.trial.comparisons ?? [];
    expect(found).toMatchObject({ slug: 'steam-helps', outcome: 'HELPED' });
    expect(found?.reading.trial).toMatchObject({ verdict: 'IMPROVED', evidence: 'INDICATIVE', nBefore: 8, nAfter: 8 });
    expect(row?.result.gain).toBeCloseTo(1, 12);
    expect(row?.result.method).toBe('SIGNED_RANK');
    expect(found?.reading.environment).toMatchObject({ 'gpu.count': 1 });
  });

  it('compare all metrics of an arm in one trial', () => {
    const memory = (variant: string, value: number) => measured(variant, slow.map(() => value), 'peak_memory', 'MiB');
    const measurements = [
      { role: 'primary', before: 'before.json', after: 'after.json' },
      { role: 'guardrail', before: 'before-peak_memory.json', after: 'after-peak_memory.json' },
    ];
    const more = { 'before-peak_memory.json': memory('dry', 100), 'after-peak_memory.json': memory('steamy', 200) };
    expect(problemsOf(parsed({ 'note.yaml': note({ measurements }), ...pair, ...more }))).toEqual([
      'outcome the verdict on time.elapsed is BLOCKED_BY_GUARDRAIL, so the outcome is HURT',
    ]);
    const result = parsed({ 'note.yaml': note({ measurements, outcome: 'HURT' }), ...pair, ...more });
    const rows = notesOf(result)[0]?.reading.trial.comparisons;
    expect(rows?.map(({ metric, role }) => [metric, role])).toEqual([
      ['time.elapsed', 'PRIMARY'],
      ['memory.peak_allocated', 'GUARDRAIL'],
    ]);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['an outcome that the verdict contradicts', { ...pair, 'note.yaml': note({ outcome: 'NEUTRAL' }) }, ['outcome the verdict on time.elapsed is IMPROVED, so the outcome is HELPED']],
    ['names that nobody knows', { ...pair, 'note.yaml': note({ items: ['oven/steam', 'bread:oven/fire'], tags: ['cold'], hardware: 'oven-two' }) }, ['hardware "oven-two" is not in hardware/', 'items.0 write checklist:section/topic', 'items.1 there is no item "bread:oven/fire"', 'tags.0 "cold" is not in tags.yaml']],
    ['a file that is not there', { 'note.yaml': note(), 'before.json': pair['before.json'] }, ['measurements.0.after there is no file "after.json" beside it']],
    ['a file that no note names', { ...pair, 'note.yaml': note(), 'other.json': pair['before.json'] }, [' no note names this measurement']],
    ['two primary measurements of one file', { ...pair, 'note.yaml': note({ measurements: [0, 1].map(() => ({ role: 'primary', before: 'before.json', after: 'after.json' })) }) }, ['measurements exactly one measurement is primary, here 2', 'measurements.1.before "before.json" stands here twice', 'measurements.1.after "after.json" stands here twice']],
    ['a file of another format', { ...pair, 'after.json': '{"a": 1}', 'note.yaml': note() }, ['measurements.0.after after.json:1: Not a result of format version 1. Bad or missing: format_version, experiment, metric, unit, direction']],
    ['a metric that is not in the list', { 'note.yaml': note(), 'before.json': measured('dry', slow, 'step_time'), 'after.json': measured('steamy', faster, 'step_time') }, ['measurements.0.before "training.step_time" is not in metrics.yaml', 'measurements.0.after "training.step_time" is not in metrics.yaml', 'measurements the two arms have no metric in common']],
  ])('are refused for %s', (_, files, expected) => {
    expect([...problemsOf(parsed(files))].sort()).toEqual([...expected].sort());
  });
}); // prettier-ignore
