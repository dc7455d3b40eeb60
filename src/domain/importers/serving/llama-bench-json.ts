import type { Importer, Reading } from '../importer.js';
import { objectsOf, readJson, type Json, type JsonObject } from '../json.js';
import { noTests, repetitionsBefore, runsOf, type LlamaTest } from './llama-bench-tests.js';
import { finite } from './workload.js';

/** Messages of the backends may stand before. */
const start = /^(?:\[\s{0,100})?\{\s{0,100}"build_commit"/m;

/** What llama-bench writes with `-o json` (one array) or `-o jsonl` (an object for each test). */
export const llamaBenchJson: Importer = {
  tool: 'llama-bench-json',
  what: 'llama-bench -o json, -o jsonl',

  recognizes: (text) =>
    start.test(text) &&
    /"avg_ts"\s{0,10}:\s{0,10}[\d.]/.test(text) &&
    text.includes('"n_prompt"') &&
    text.includes('"n_gen"'),

  read(text): Reading {
    const from = start.exec(text)?.index ?? 0;
    // blank lines instead of the messages, so that lines keep their numbers
    const before = text.slice(0, from).split('\n');
    const blank = '\n'.repeat(before.length - 1);
    const repetitions = repetitionsBefore(before);
    const json = readJson(blank + text.slice(from));
    const tests = objectsOf(json).flatMap(({ object, line }) => testOf(object, repetitions, line));
    if (tests.length === 0) return { runs: [], problems: [json.problem ?? noTests(null)] };
    const { runs, problems } = runsOf('llama-bench-json', tests);
    // messages of the program may follow as well
    const cut = json.isTruncated && json.problem ? [{ ...json.problem, severity: 'WARNING' as const }] : [];
    return { runs, problems: [...problems, ...cut] };
  },
};

function testOf(object: JsonObject, repetitions: number | null, line: number): readonly LlamaTest[] {
  if (finite(object.avg_ts) === null) return [];
  const fields = Object.entries(object).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'boolean' || finite(value) !== null ? [[key, value as string | number | boolean] as const] : [],
  );
  return [{ fields: Object.fromEntries(fields), samplesTs: numbersOf(object.samples_ts), samplesNs: numbersOf(object.samples_ns), repetitions, line }];
} // prettier-ignore

function numbersOf(value: Json | undefined): readonly number[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: Json) => finite(each) ?? []).filter((each) => each > 0);
}
