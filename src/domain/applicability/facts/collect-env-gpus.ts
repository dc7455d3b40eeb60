import { findingOf, plainLine } from './fact-lines.js';
import type { Finding, ReadingProblem } from './reader.js';

/** One device of a list; `number` counts from 0. */
export interface ListedGpu {
  readonly number: number;
  readonly name: string;
  readonly line: number;
}

interface GpuList {
  readonly gpus: readonly ListedGpu[];
  /** Profiles such as `1g.10gb`, one for every MIG device. */
  readonly profiles: readonly { readonly profile: string; readonly line: number }[];
  /** The first line below the list, counted from 0. */
  readonly end: number;
}

/** What `nvidia-smi -L` lists from this line on (counted from 0): GPUs, and below each its MIG devices. */
export function gpuListAt(lines: readonly string[], start: number, firstText: string): GpuList {
  const gpus: ListedGpu[] = [];
  const profiles: { profile: string; line: number }[] = [];
  let index = start;
  for (; index < lines.length; index += 1) {
    const text = index === start ? firstText : plainLine(lines[index]);
    const [, number, name] = /^GPU (\d{1,4}): (.{1,200})$/.exec(text) ?? [];
    const profile = /^MIG (\S{1,30}) +Device +\d{1,3}:/.exec(text)?.[1];
    if (number !== undefined && name !== undefined) {
      gpus.push({ number: Number(number), name: withoutUuid(name), line: index + 1 });
    } else if (profile !== undefined) profiles.push({ profile, line: index + 1 });
    else if (text !== '' || index > start) break;
  }
  return { gpus, profiles, end: index };
}

function withoutUuid(name: string): string {
  const at = name.indexOf(' (UUID:');
  return (at < 0 ? name : name.slice(0, at)).trim();
}

/** Name and number of the GPUs of this machine; a problem where they differ or where some of the list is missing. */
export function listedGpuFacts(gpus: readonly ListedGpu[]): {
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadingProblem[];
} {
  const [first] = gpus;
  if (!first) return { findings: [], problems: [] };
  const sorted = [...gpus].sort((left, right) => left.number - right.number);
  const names = new Set(sorted.map(({ name }) => name));
  const missing = sorted.findIndex(({ number }, index) => number !== index);
  const problems = [
    ...(names.size > 1 ? [kinds(first.line, names)] : []),
    ...(missing >= 0 ? [gap(first.line, missing)] : []),
  ];
  const findings = [
    ...findingOf('gpu.name', [...names], first.line),
    ...findingOf('gpu.per_node', [gpus.length], first.line),
    ...findingOf('gpu.count', [gpus.length], first.line),
  ];
  return { findings, problems };
}

function kinds(line: number, names: ReadonlySet<string>): ReadingProblem {
  return {
    line,
    message: {
      en: `${names.size} kinds of GPU here: ${[...names].join(', ')}`,
      zh: `这里有 ${names.size} 种 GPU：${[...names].join('、')}`,
    },
  };
}

function gap(line: number, number: number): ReadingProblem {
  return {
    line,
    message: {
      en: `The list of GPUs is not complete: GPU ${number} is missing`,
      zh: `GPU 列表不完整：缺少 GPU ${number}`,
    },
  };
}
