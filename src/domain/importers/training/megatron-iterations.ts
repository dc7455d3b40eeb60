import { leadingNumber } from './leading-number.js';

/** One line of the log: the average over the iterations since the line before. */
export interface Iteration {
  readonly line: number;
  readonly iteration: number;
  readonly planned: number;
  readonly time: number;
  readonly batchSize: number | null;
  readonly throughput: number | null;
  readonly flopsPerGpu: number | null;
  readonly tokensPerGpu: number | null;
  readonly loss: number | null;
  readonly skipped: number;
  readonly nan: number;
  readonly sequenceLength: number | null;
  readonly fieldCount: number;
  readonly label: string | null;
  /** `2025-08-01 07:19:37`, a local time. */
  readonly writtenAt: string | null;
}

export const iterationLine =
  /iteration\s{1,10}\d{1,9}\/\s{0,12}\d{1,9} \|[^\n]{0,300}elapsed time per iteration \(ms\): {0,3}\d/;

/** The iterations of a line: more than one where processes wrote over each other. */
export function iterationsOf(text: string, line: number, label: string | null): readonly Iteration[] {
  if (!text.includes('elapsed time per iteration (ms):')) return [];
  const writtenAt = /\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] {1,3}iteration/.exec(text)?.[1] ?? null;
  return text.split(/(?=iteration\s{1,10}\d{1,9}\/)/).flatMap((piece) => {
    const head = /^iteration\s{1,10}(\d{1,9})\/\s{0,12}(\d{1,9}) \|/.exec(piece);
    if (!head) return [];
    const fields = fieldsOf(piece.slice(head[0].length));
    const time = first(fields, 'elapsed time per iteration (ms)');
    if (time === null || time <= 0) return [];
    return [
      {
        line,
        iteration: Number(head[1]),
        planned: Number(head[2]),
        time,
        batchSize: first(fields, 'global batch size'),
        throughput: first(fields, 'samples per second'),
        flopsPerGpu: first(fields, 'throughput per GPU (TFLOP/s/GPU)', 'compute per GPU (TFLOP/s/GPU)', 'TFLOPs'),
        tokensPerGpu: first(fields, ...tokensPerGpu),
        loss: first(fields, 'lm loss', 'lm-loss', 'total loss', 'loss'),
        skipped: first(fields, 'number of skipped iterations') ?? 0,
        nan: first(fields, 'number of nan iterations') ?? 0,
        sequenceLength: first(fields, 'actual seqlen'),
        fieldCount: fields.size,
        label,
        writtenAt,
      },
    ];
  });
}

const tokensPerGpu = [
  'tokens per second per GPU',
  'Tokens per second per GPU (Tok/s/GPU)',
  'tokens per GPU (tokens/s/GPU)',
  'tokens/s/GPU inst/harmonic mean',
];

function fieldsOf(text: string): ReadonlyMap<string, number | null> {
  const fields = new Map<string, number | null>();
  for (const field of text.split('|', 80)) {
    const colon = field.indexOf(':');
    if (colon === -1) continue;
    const name = field.slice(0, colon).trim();
    if (!fields.has(name)) fields.set(name, leadingNumber(field.slice(colon + 1)));
  }
  return fields;
}

function first(fields: ReadonlyMap<string, number | null>, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}
