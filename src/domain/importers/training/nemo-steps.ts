import { readJson, isObject, type JsonObject } from '../json.js';
import { leadingNumber } from './leading-number.js';
import { barsOf } from './progress-bars.js';

/** One logged step of NeMo. */
export interface NemoStep {
  readonly line: number;
  readonly step: number;
  /** Seconds. */
  readonly time: number;
  readonly loss: number | null;
  readonly flopsPerGpu: number | null;
  readonly batchSize: number | null;
  /** Where the training stands, as `12/100`; null where the line does not say. */
  readonly progress: { readonly done: number; readonly planned: number } | null;
  /** Seconds since 1970; only records of DLLogger have it. */
  readonly writtenAt: number | null;
}

/** The configuration that DLLogger records at the start, under `cfg/...`. */
export type NemoConfig = JsonObject;

const TIMING = 'train_step_timing in s';

/** The steps of a line, and the configuration where it is one. */
export function nemoLine(
  text: string,
  line: number,
): { readonly steps: readonly NemoStep[]; readonly config: NemoConfig | null } {
  const at = text.indexOf('DLLL {');
  if (at !== -1) return recordOf(text.slice(at + 5), line);
  if (!text.includes(TIMING)) return { steps: [], config: null };
  if (text.includes(`| ${TIMING}:`)) return { steps: printedStep(text, line), config: null };
  return { steps: barSteps(text, line), config: null };
}

function recordOf(json: string, line: number): ReturnType<typeof nemoLine> {
  const record = readJson(json).documents[0]?.value;
  if (!isObject(record) || !isObject(record.data)) return { steps: [], config: null };
  const { data } = record;
  if (record.step === 'PARAMETER') return { steps: [], config: data };
  const time = finite(data[TIMING]);
  const step = finite(record.step) ?? finite(data.global_step);
  if (time === null || time <= 0 || step === null) return { steps: [], config: null };
  const writtenAt = typeof record.timestamp === 'string' ? leadingNumber(record.timestamp) : finite(record.timestamp);
  const found: NemoStep = {
    line,
    step,
    time,
    loss: finite(data.reduced_train_loss),
    flopsPerGpu: finite(data.TFLOPS_per_GPU),
    batchSize: null,
    progress: null,
    writtenAt,
  };
  return { steps: [found], config: null };
}

/** NeMo 2: `Training epoch 0, iteration 9/999 | lr: ... | global_step: 9 | ...`, several where lines are glued. */
function printedStep(text: string, line: number): readonly NemoStep[] {
  return text.split(/(?=Training epoch \d)/).flatMap((piece): NemoStep[] => {
    const head = /^Training epoch \d{1,9}, iteration (\d{1,9})\/(\d{1,9})/.exec(piece);
    const fields = new Map<string, number | null>();
    for (const field of piece.split('|', 60)) {
      const colon = field.indexOf(':');
      if (colon !== -1) fields.set(field.slice(0, colon).trim(), leadingNumber(field.slice(colon + 1)));
    }
    const of = (name: string) => fields.get(name) ?? null;
    const time = of(TIMING);
    const step = of('global_step') ?? (head ? Number(head[1]) : null);
    if (time === null || time <= 0 || step === null) return [];
    return [
      {
        line,
        step,
        time,
        loss: of('reduced_train_loss'),
        flopsPerGpu: of('TFLOPS_per_GPU'),
        batchSize: of('global_batch_size'),
        progress: head ? { done: Number(head[1]), planned: Number(head[2]) } : null,
        writtenAt: null,
      },
    ];
  });
}

/** NeMo 1: values behind a progress bar, whose count is exact where `global_step=2e+3` is rounded. */
function barSteps(text: string, line: number): readonly NemoStep[] {
  return barsOf(text).flatMap(({ done, planned, rest }): NemoStep[] => {
    const of = (name: string) => {
      const at = rest.indexOf(`${name}=`);
      return at === -1 ? null : leadingNumber(rest.slice(at + name.length + 1));
    };
    const time = of(TIMING);
    if (time === null || time <= 0) return [];
    const step = of('global_step');
    const isRounded = /global_step=[\d.]{1,10}e/.test(rest);
    return [
      {
        line,
        step: step === null || isRounded ? Math.max(0, done - 1) : step,
        time,
        loss: of('reduced_train_loss'),
        flopsPerGpu: of('TFLOPS_per_GPU'),
        batchSize: of('global_batch_size'),
        progress: planned === null ? null : { done, planned },
        writtenAt: null,
      },
    ];
  });
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
