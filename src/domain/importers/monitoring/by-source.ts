import { unquoted } from '../../applicability/facts/nvidia-devices.js';
import type { Reading, ReadRun } from '../importer.js';
import { labeledLines } from '../labeled-lines.js';
import { sourceOf } from './monitor-run.js';
import { withoutCounts } from './nvidia-facts.js';

interface Source {
  readonly label: string | null;
  readonly lines: string[];
  /** Where each of them stands in the text. */
  readonly numbers: number[];
}

/**
 * Reads the lines of each process whose output a launcher mixed as a text of its own, and makes one run of all: the
 * dimension `source` tells them apart.
 */
export function readBySource(text: string, read: (lines: readonly string[]) => Reading): Reading {
  const sources = new Map<string | null, Source>();
  for (const { number, text: line, label } of labeledLines(text)) {
    const source = sources.get(label) ?? { label, lines: [], numbers: [] };
    sources.set(label, source);
    source.lines.push(unquoted(line));
    source.numbers.push(number);
  }
  const readings = Array.from(sources.values(), (source) => ({ ...source, reading: read(source.lines) }));
  const problems = readings.flatMap(({ reading, numbers }) =>
    reading.problems.map((problem) => ({ ...problem, line: numbers[(problem.line ?? 0) - 1] ?? problem.line })),
  );
  const runs = readings.flatMap(({ reading, label }) => reading.runs.map((run) => ({ run, label })));
  const [first, second] = runs;
  if (!first) return { runs: [], problems };
  return { runs: [second ? joined(first.run, runs) : first.run], problems };
}

function joined(first: ReadRun, all: readonly { readonly run: ReadRun; readonly label: string | null }[]): ReadRun {
  return {
    ...first,
    status: all.some(({ run }) => run.status === 'PARTIAL') ? 'PARTIAL' : 'OK',
    environment: withoutCounts(first.environment),
    observations: all.flatMap(({ run, label }) =>
      run.observations.map((each) => ({ ...each, dimensions: { ...each.dimensions, ...sourceOf(label) } })),
    ),
  };
}
