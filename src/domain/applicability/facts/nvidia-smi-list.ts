import { countOfIndexes, isNvidiaName, nvidiaReading, unquoted, type NvidiaDevice } from './nvidia-devices.js';
import type { ToolReading } from './reader.js';

const gpuLine = /^\s{0,16}GPU (\d{1,4}): (\S.{0,79}?) \(UUID: [^()]{1,64}\)\s*$/;
const migLine = /^\s{0,16}MIG (\d\S{0,31})\s{1,16}Device\s{1,4}\d{1,3}: \(UUID: [^()]{1,64}\)\s*$/;
/** What `nvidia-smi nvlink` prints below and above the same line. */
const nvlinkLine = /^\s{0,16}Link \d|\bNVLink\b/i;

interface Gpu {
  readonly index: number;
  readonly name: string;
  readonly line: number;
  readonly profiles: string[];
  profileLine: number;
}

interface List {
  readonly gpus: Gpu[];
  lastLine: number;
}

/** The places of `nvidia-smi -L`: the whole names of the GPUs, and the profiles of their MIG devices. */
export function nvidiaSmiLists(lines: readonly string[]): readonly ToolReading[] {
  const lists: List[] = [];
  let open: List | null = null;
  for (const [index, raw] of lines.entries()) {
    const text = unquoted(raw);
    const gpu = text.length < 400 && !isOfNvlink(lines, index) ? gpuAt(text, index + 1) : null;
    const profile = text.length < 400 ? migLine.exec(text)?.[1] : undefined;
    const last = open?.gpus.at(-1);
    if (gpu) {
      // A smaller number is that of the next machine, as where one command runs on several.
      if (!open || (last && last.index >= gpu.index)) lists.push((open = { gpus: [], lastLine: index + 1 }));
      open.gpus.push(gpu);
    } else if (open && last && profile !== undefined) {
      if (last.profiles.length === 0) last.profileLine = index + 1;
      last.profiles.push(profile);
    } else open = null;
    if (open) open.lastLine = index + 1;
  }
  return lists.map(readingOf);
}

function isOfNvlink(lines: readonly string[], index: number): boolean {
  return [lines[index - 1], lines[index + 1]].some((line) => nvlinkLine.test(unquoted(line).slice(0, 200)));
}

function gpuAt(text: string, line: number): Gpu | null {
  const [, index, name] = gpuLine.exec(text) ?? [];
  if (index === undefined || name === undefined || !isNvidiaName(name)) return null;
  return { index: Number(index), name, line, profiles: [], profileLine: line };
}

function readingOf({ gpus, lastLine }: List): ToolReading {
  const firstLine = gpus[0]?.line ?? lastLine;
  const indexes = gpus.map(({ index }) => index);
  const devices = gpus.map(deviceOf);
  return nvidiaReading({ tool: 'nvidia-smi -L', firstLine, lastLine, ...countOfIndexes(indexes, firstLine), devices });
}

/** A list without MIG devices does not tell whether MIG is on: no device may have been made yet. */
function deviceOf({ name, line, profiles, profileLine }: Gpu): NvidiaDevice {
  const device: NvidiaDevice = new Map([['gpu.name', { value: name, line }]]);
  return profiles.length === 0 ? device : new Map([...device, ['gpu.mig', { value: profiles, line: profileLine }]]);
}
