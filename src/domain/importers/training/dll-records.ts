import { isObject, readJson } from '../json.js';
import { leadingNumber } from './leading-number.js';

/** One value that DLLogger logged. */
export interface DllValue {
  readonly name: string;
  readonly text: string;
  readonly number: number | null;
  readonly unit: string;
}

/** One record: text lines `DLL <time> - <step> name : value unit ...`, or lines of JSON. */
export interface DllRecord {
  readonly line: number;
  /** `2024-05-02 04:25:08.232415`, a local time. */
  readonly writtenAt: string;
  readonly kind: 'parameter' | 'step' | 'summary';
  /** How fine the step is: 1 for an epoch, 2 for an iteration of an epoch. */
  readonly depth: number;
  readonly values: readonly DllValue[];
}

export const textLine = /DLL \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? - /;

/** Whether a line is a record of JSON that cannot be read. */
export function isBrokenRecord(text: string): boolean {
  const at = text.indexOf('DLLL {');
  return at !== -1 && readJson(text.slice(at + 5)).documents.length === 0;
}

/** The records of a line: several where a progress bar or another process wrote over it. Units of JSON come before. */
export function dllRecordsOf(text: string, line: number, units: Map<string, string>): readonly DllRecord[] {
  const at = text.indexOf('DLLL {');
  if (at !== -1) return jsonRecord(text.slice(at + 5), line, units);
  if (!textLine.test(text)) return [];
  return text.split(/(?=DLL \d{4}-\d\d-\d\d )/).flatMap((piece): DllRecord[] => {
    const found = /^DLL (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?) - (.*)$/.exec(piece);
    return found ? [{ line, writtenAt: found[1] ?? '', ...textRecord(found[2] ?? '') }] : [];
  });
}

function textRecord(text: string): Pick<DllRecord, 'kind' | 'depth' | 'values'> {
  const values: DllValue[] = [];
  const first = /(?<!\S)\S{1,100} : /.exec(text);
  const step = first ? text.slice(0, first.index).trim() : text.trim();
  // a value is followed by one blank and its unit, or by two blanks where it has none
  for (const [, name = '', value = '', unit = ''] of text.matchAll(/(?<!\S)(\S{1,100}) : (\S{1,100}) ?([^\s:]{0,30})(?= |$)/g)) {
    values.push({ name, text: value, number: leadingNumber(value), unit });
  }
  const kind = step === 'PARAMETER' ? 'parameter' : step === '' || /^summary/i.test(step) || step === '()' ? 'summary' : 'step';
  return { kind, depth: step.match(/\d{1,12}/g)?.length ?? 0, values };
} // prettier-ignore

function jsonRecord(json: string, line: number, units: Map<string, string>): readonly DllRecord[] {
  const record = readJson(json).documents[0]?.value;
  if (!isObject(record)) return [];
  const { type, metric, metadata, data, step } = record;
  if (type === 'METADATA') {
    if (typeof metric === 'string' && isObject(metadata) && typeof metadata.unit === 'string') {
      units.set(metric, metadata.unit);
    }
    return [];
  }
  if (!isObject(data)) return [];
  const values = Object.entries(data).slice(0, 300).map(([name, value]): DllValue => {
    const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
    const number = typeof value === 'number' && Number.isFinite(value) ? value : null;
    return { name, text, number, unit: units.get(name) ?? '' };
  }); // prettier-ignore
  const depth = Array.isArray(step) ? step.length : 1;
  const writtenAt = typeof record.datetime === 'string' ? record.datetime : '';
  const kind = step === 'PARAMETER' ? 'parameter' : depth === 0 ? 'summary' : 'step';
  return [{ line, writtenAt, kind, depth, values }];
}
