import type { Facts } from '../../measurement/environment-diff.js';
import { architectureOf, gpuFacts } from '../gpu.js';
import { isObject, type Json, type JsonObject } from '../json.js';

const numberIn = (value: Json | undefined): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null); // prettier-ignore
const wholeIn = (value: Json | undefined): number | null => (Number.isSafeInteger(value) ? numberIn(value) : null);

/** Which process of how many wrote the trace; null where it was alone. */
export function shareOf({ distributedInfo }: JsonObject): { readonly rank: number; readonly of: number } | null {
  if (!isObject(distributedInfo)) return null;
  const [rank, of] = [wholeIn(distributedInfo.rank), wholeIn(distributedInfo.world_size)];
  return rank === null || of === null || of < 2 ? null : { rank, of };
}

/** The device that worked; the list names all that the process could see. */
export function environmentOf(file: JsonObject, used: readonly number[]): Facts {
  const all = Array.isArray(file.deviceProperties) ? file.deviceProperties.slice(0, 1_000).filter(isObject) : [];
  const device = all.find(({ id }) => used.includes(wholeIn(id) ?? -1)) ?? all[0];
  const count = shareOf(file)?.of ?? used.length;
  return {
    ...(device ? factsOf(device) : {}),
    ...(count > 0 ? { 'gpu.count': count } : {}),
    ...version('cuda', file.cuda_runtime_version),
    ...version('driver.cuda', file.cuda_driver_version),
  };
}

function factsOf({ name, computeMajor, computeMinor, numSms }: JsonObject): Facts {
  const named = typeof name === 'string' ? gpuFacts(name.slice(0, 200)) : {};
  const [major, minor, processors] = [wholeIn(computeMajor), wholeIn(computeMinor), wholeIn(numSms)];
  const isNvidia = named.vendor === 'nvidia';
  const capability = isNvidia && major !== null && minor !== null ? `${major}.${minor}` : null;
  const architecture = capability === null ? null : architectureOf(capability);
  return {
    ...named,
    ...(architecture ? { architecture } : {}),
    ...(capability ? { 'gpu.computeCapability': capability } : {}),
    ...(processors !== null && processors > 0 ? { 'gpu.multiprocessors': processors } : {}),
  };
}

/** 12040 is 12.4. */
function version(key: string, found: Json | undefined): Facts {
  const whole = wholeIn(found);
  if (whole === null || whole < 1_000 || whole > 1_000_000) return {};
  return { [key]: `${Math.floor(whole / 1000)}.${Math.floor((whole % 1000) / 10)}` };
}

/** What the profiler recorded besides times, which costs time. */
export function workloadOf(file: JsonObject): Facts {
  const recorded = ['record_shapes', 'profile_memory', 'with_stack', 'with_flops', 'with_modules'];
  const share = shareOf(file);
  const { distributedInfo } = file;
  const backend = isObject(distributedInfo) ? distributedInfo.backend : undefined;
  return {
    ...Object.fromEntries(
      recorded.flatMap((name) => (typeof file[name] === 'number' ? [[`workload.settings.${name}`, file[name] === 1]] : [])),
    ),
    ...(share ? { 'workload.settings.world_size': share.of } : {}),
    ...(typeof backend === 'string' && backend !== '' ? { 'workload.settings.distributed_backend': backend.slice(0, 100) } : {}),
  }; // prettier-ignore
}

/** Times count from a base that newer files state in nanoseconds; without one they count from 1970. */
export function startedAtIn({ baseTimeNanoseconds }: JsonObject, firstStart: number | null): string | null {
  if (firstStart === null) return null;
  const milliseconds = (numberIn(baseTimeNanoseconds) ?? 0) / 1e6 + firstStart / 1e3;
  const isTime = milliseconds > Date.UTC(2016, 0) && milliseconds < Date.UTC(2100, 0);
  return isTime ? new Date(milliseconds).toISOString() : null;
}
