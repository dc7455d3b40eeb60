// `npm run bench:fuzz -- 10000 1`: so many damaged outputs, from this seed, read by all importers: none may fail, take
// longer than in proportion to its size, or say what no reading may say. Made of the fixtures and, where it is present,
// of the corpus. Then a part of them goes through the API into an embedded database: `npm run bench:fuzz -- 10000 1 500`.
import { fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { importers, readContent } from '../src/domain/importers/index.js';
import { damagedOutput } from '../test/support/damaged-output.js';
import { seeded } from '../test/support/mutated-text.js';
import { outputs } from '../test/support/outputs.js';
import { pickedBy } from '../test/support/picked.js';
import { readingFaults } from '../test/support/reading-faults.js';

/** Longest time that a reading may take: this much, and this much more for each million characters. */
const [MS, MS_PER_MILLION] = [1_500, 8_000];
/** A reader that says nothing for so long hangs, on however busy a machine. */
const STUCK_MS = 300_000;

interface Tried {
  readonly number: number;
  readonly tool: string;
  readonly name: string;
  readonly kinds: readonly string[];
  readonly size: number;
  readonly milliseconds: number;
  readonly runs: number;
  readonly errors: number;
  readonly faults: readonly string[];
}

/** Reads one output, once as the one that the content shows and once as the output of its tool. */
function tried(number: number, seed: number): Tried {
  const random = seeded(seed * 1_000_003 + number);
  const pick = pickedBy(random);
  for (let warm = 0; warm < 5; warm += 1) random();
  // each importer as often as any other, whether it has few or many outputs
  const tool = importers[number % importers.length]?.tool ?? '';
  const own = pick(outputs.filter((output) => output.tool === tool));
  const { text, kinds } = damagedOutput({ text: own.text, other: pick(outputs).text }, random);
  const start = process.cpuUsage();
  const faults: string[] = [];
  let [runs, errors] = [0, 0];
  for (const format of [undefined, tool]) {
    try {
      const read = readContent(text, format);
      faults.push(...readingFaults(read));
      if (format !== undefined || read.format === tool) runs = Math.max(runs, read.reading.runs.length);
      if (format !== undefined) errors = read.reading.problems.filter(({ severity }) => severity === 'ERROR').length;
    } catch (problem) {
      faults.push(`threw ${problem instanceof Error ? problem.stack?.split('\n').slice(0, 3).join(' ') : String(problem)}`);
    }
  } // prettier-ignore
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1000;
  const most = MS + (text.length / 1e6) * MS_PER_MILLION;
  if (milliseconds > most) faults.push(`took ${Math.round(milliseconds)} ms for ${text.length} characters`);
  return { number, tool, name: own.name, kinds, size: text.length, milliseconds, runs, errors, faults };
}

function table(all: readonly Tried[]): void {
  const rows = importers.map(({ tool }) => {
    const own = all.filter((one) => one.tool === tool);
    const sum = (of: (one: Tried) => number) => own.reduce((total, one) => total + of(one), 0);
    return {
      tool,
      files: own.length,
      read: own.filter(({ runs }) => runs > 0).length,
      refused: own.filter(({ errors }) => errors > 0).length,
      faults: own.filter(({ faults }) => faults.length > 0).length,
      'KB': Math.round(sum(({ size }) => size) / 1000),
      'longest ms': Math.round(Math.max(0, ...own.map(({ milliseconds }) => milliseconds))),
    };
  }); // prettier-ignore
  console.table(rows);
}

if (process.send === undefined) {
  const [files = 10_000, seed = 1, sent = 0] = process.argv.slice(2).map(Number);
  const all: Tried[] = [];
  const reader = fork(fileURLToPath(import.meta.url), [String(files), String(seed)]);
  let seenAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - seenAt < STUCK_MS) return;
    console.error(`number ${all.length} of seed ${seed} does not end`);
    clearInterval(watch);
    reader.kill('SIGKILL');
  }, 1_000);
  reader.on('message', (one: Tried) => {
    seenAt = Date.now();
    all.push(one);
    for (const fault of one.faults.slice(0, 3))
      console.log(`${one.number} ${one.name} [${one.kinds.join(', ')}]: ${fault}`);
  });
  await new Promise((done, failed) => reader.on('exit', done).on('error', failed));
  clearInterval(watch);
  table(all);
  const bad = all.filter(({ faults }) => faults.length > 0);
  console.log(
    `${all.length} damaged outputs of ${importers.length} importers from ${outputs.length}: ${bad.length} with faults`,
  );
  process.exitCode = bad.length === 0 && all.length === files ? 0 : 1;
  if (sent > 0) {
    const child = spawn(process.execPath, ['scripts/test.mjs', 'test/api/import-damaged.spec.ts'], {
      env: { ...process.env, TUNEBOOK_DAMAGED_FILES: String(sent), TUNEBOOK_DAMAGED_SEED: String(seed) },
      stdio: 'inherit',
    });
    child.on('exit', (code) => {
      process.exitCode = code === 0 ? process.exitCode : 1;
    });
  }
} else {
  const [files = 0, seed = 1] = process.argv.slice(2).map(Number);
  for (let number = 0; number < files; number += 1) {
    const one = tried(number, seed);
    await new Promise<void>((done) => process.send?.(one, () => done()));
  }
  process.disconnect();
}
