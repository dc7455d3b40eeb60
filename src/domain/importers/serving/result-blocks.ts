import { decimalSignOf, isNoValue, numberOf, type DecimalSign } from '../number.js';
import { labeledLines } from '../labeled-lines.js';
import type { ClientArguments } from './client-arguments.js';
import { noteAround, nothingAround, type Surroundings } from './surroundings.js';

/** A line `Label (unit): value` of a block. */
export interface Field {
  /** In lower case, with single blanks. */
  readonly label: string;
  /** Without notes that people put behind it. */
  readonly value: string;
  readonly line: number;
}

/** A "Serving Benchmark Result" as it was printed, with what stands between it and the one before. */
export interface ResultBlock {
  readonly line: number;
  readonly fields: readonly Field[];
  /** Whether the rule that closes it is there. */
  readonly isClosed: boolean;
  readonly heading: string | null;
  readonly command: string | null;
  readonly options: ClientArguments;
  /** Fields that clients print before the block. */
  readonly before: readonly Field[];
}

export const blockStart = /^\s{0,20}={2,60} Serving Benchmark Result ={2,60}/;
const blockEnd = /^\s{0,20}={40,200}\s*$/;
const field = /^\s{0,20}([A-Za-z][\w .()%/-]{1,80}):(?=\s|$)\s?(.{0,400})/;

interface Context extends Surroundings {
  before: Field[];
  open: { line: number; fields: Field[] } | null;
}

const empty = (): Context => ({ ...nothingAround(), before: [], open: null });

/** All blocks of a text in their order. Several processes may have printed at the same time. */
export function resultBlocks(text: string): readonly ResultBlock[] {
  const blocks: ResultBlock[] = [];
  const contexts = new Map<string | null, Context>();
  const close = (context: Context, isClosed: boolean): Context => {
    const { open, heading, command, options, before } = context;
    if (open) blocks.push({ ...open, isClosed, heading, command, options, before });
    return empty();
  };
  for (const { number, text: line, label } of labeledLines(text)) {
    if (line === '') continue;
    let context = contexts.get(label) ?? empty();
    if (blockStart.test(line)) {
      if (context.open) context = close(context, false);
      context.open = { line: number, fields: [] };
    } else if (!context.open) note(context, line, number);
    else if (blockEnd.test(line)) context = close(context, true);
    else {
      const found = fieldOf(line, number);
      if (found) context.open.fields.push(found);
    }
    contexts.set(label, context);
  }
  for (const context of contexts.values()) close(context, false);
  return blocks.sort((a, b) => a.line - b.line);
}

function note(context: Context, line: string, number: number): void {
  if (noteAround(context, line)) return;
  const found = fieldOf(line, number);
  if (found && printedBefore.has(found.label)) context.before.push(found);
}

/** What vLLM prints before it sends the first request. */
const printedBefore = new Set(['traffic request rate', 'burstiness factor', 'maximum request concurrency']);

function fieldOf(line: string, number: number): Field | null {
  const [, label, rest = ''] = field.exec(line) ?? [];
  if (label === undefined) return null;
  // two blanks or a sign begin a note
  const value = rest.trim().split(/\s{2}|\t|\s?[←<#]/)[0] ?? '';
  return { label: label.toLowerCase().replace(/\s+/g, ' ').trim(), value: value.trim(), line: number };
}

/** How the numbers of a block are written, or the field for which that cannot be said. */
export function signOf(fields: readonly Field[]): DecimalSign | Field {
  const sign = decimalSignOf(fields.map(({ value }) => value));
  if (sign) return sign;
  return fields.find(({ value }) => /^\d{1,3},\d{3}$/.test(value)) ?? '.';
}

/** The number of a field, null for a placeholder, undefined for what cannot be read. `10/12` is 10. */
export function valueOf({ value }: Field, sign: DecimalSign): number | null | undefined {
  const text = value.split(/[ /]/)[0] ?? '';
  if (isNoValue(text)) return null;
  const number = numberOf(text, sign);
  return number !== null && Number.isFinite(number) ? number : undefined;
}

/** The numbers of a block by their labels; of labels that stand twice the first. */
export class BlockNumbers {
  private readonly fields = new Map<string, Field>();

  constructor(
    fields: readonly Field[],
    readonly sign: DecimalSign,
  ) {
    for (const field of fields) if (!this.fields.has(field.label)) this.fields.set(field.label, field);
  }

  of(label: string): number | null {
    const field = this.fields.get(label);
    return field ? (valueOf(field, this.sign) ?? null) : null;
  }

  text(...labels: readonly string[]): string | null {
    const field = labels.map((label) => this.fields.get(label)).find((found) => found !== undefined);
    return field?.value ?? null;
  }

  line(label: string): number | null {
    return this.fields.get(label)?.line ?? null;
  }

  has(part: string): boolean {
    return [...this.fields.keys()].some((label) => label.includes(part));
  }
}
