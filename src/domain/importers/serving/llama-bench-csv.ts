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
import { cellsOf } from './profile-csv.js';

/** Messages of the backends may stand before. */
const header = /^build_commit,(?:[a-z_0-9]{1,40},){5,60}avg_ts,stddev_ts\s{0,5}$/m;

/** What llama-bench writes with `-o csv`. */
export const llamaBenchCsv: Importer = {
  tool: 'llama-bench-csv',
  what: 'llama-bench -o csv',
  recognizes: (text) => header.test(text),

  read(text): Reading {
    const tests: LlamaTest[] = [];
    const problems: ImportProblem[] = [];
    let columns: readonly string[] = [];
    let line = 0;
    let repetitions: number | null = null;
    for (const whole of text.split('\n')) {
      line += 1;
      if (whole.length > MAX_LINE) continue;
      const said = repetitionsIn(whole);
      if (said !== undefined && !whole.startsWith('"')) repetitions = said;
      if (header.test(whole)) columns = whole.trim().split(',');
      else if (columns.length > 0 && whole.startsWith('"')) {
        const cells = cellsOf(whole) ?? [];
        const fields = alignedFields(columns, cells);
        if (problems.length < 50 && !fields) problems.push(unreadableRow(line));
        if (problems.length < 50 && fields && cells.length !== columns.length) {
          problems.push(misaligned(line, cells.length, columns.length));
        }
        if (fields) tests.push({ fields, samplesTs: [], samplesNs: [], repetitions, line });
      }
      if (tests.length > MAX_TESTS) break;
    }
    if (tests.length === 0) return { runs: [], problems: [...problems, noTests(null)] };
    const reading = runsOf('llama-bench-csv', tests);
    return { runs: reading.runs, problems: [...problems, ...reading.problems] };
  },
};

const MAX_LINE = 20_000;
const MAX_TESTS = 10_000;
