import { linesOf } from '../labeled-lines.js';
import type { Importer, ImportProblem, Reading } from '../importer.js';
import {
  alignedFields,
  misaligned,
  noTests,
  repetitionsIn,
  runsOf,
  unreadableRow,
  type LlamaTest,
} from './llama-bench-tests.js';

const insert = /^\s{0,20}INSERT INTO (?:test|llama_bench) \((build_commit, [a-z_0-9, ]{20,2000})\) VALUES \('(.{10,15000})'\);\s{0,5}$/; // prettier-ignore

/** What llama-bench writes with `-o sql`. It is read as text and never executed. */
export const llamaBenchSql: Importer = {
  tool: 'llama-bench-sql',
  what: 'llama-bench -o sql',

  recognizes: (text) =>
    /^\s{0,20}INSERT INTO (?:test|llama_bench) \(build_commit, /m.test(text) && text.includes(', avg_ts, stddev_ts)'),

  read(text): Reading {
    const tests: LlamaTest[] = [];
    const problems: ImportProblem[] = [];
    let line = 0;
    let repetitions: number | null = null;
    for (const whole of linesOf(text)) {
      line += 1;
      if (!whole.includes('INSERT INTO')) {
        const said = repetitionsIn(whole);
        if (said !== undefined) repetitions = said;
        continue;
      }
      const [, names, values] = insert.exec(whole) ?? [];
      const columns = names?.split(', ') ?? [];
      // llama-bench puts every value between apostrophes and escapes none inside
      const cells = values?.split("', '") ?? [];
      const fields = names === undefined ? null : alignedFields(columns, cells);
      if (problems.length < 50 && !fields) problems.push(unreadableRow(line));
      if (problems.length < 50 && fields && cells.length !== columns.length) {
        problems.push(misaligned(line, cells.length, columns.length));
      }
      if (fields) tests.push({ fields, samplesTs: [], samplesNs: [], repetitions, line });
      if (tests.length > MAX_TESTS) break;
    }
    if (tests.length === 0) return { runs: [], problems: [...problems, noTests(null)] };
    const reading = runsOf('llama-bench-sql', tests);
    return { runs: reading.runs, problems: [...problems, ...reading.problems] };
  },
};

const MAX_TESTS = 10_000;
