import type { FactReader, Finding } from '../../applicability/facts/reader.js';
import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import { leftOut, type ImportProblem } from '../importer.js';

/** Memory is told in GiB there, and the name of a GPU says it. */
const isLeftOut = (key: string) => key.startsWith('capability.') || key === 'gpu.memory';

/** A command stands so far above its output at most. */
const ABOVE = 3;

/** What the output of nvidia-smi in these lines says about the machine, and in what its GPUs differ. */
export function nvidiaFacts(
  reader: FactReader,
  lines: readonly string[],
  { firstLine, lastLine }: { readonly firstLine: number; readonly lastLine: number },
): { readonly environment: Facts; readonly problems: readonly ImportProblem[] } {
  const from = Math.max(0, firstLine - 1 - ABOVE);
  // a reader may leave the last line out as cut
  const [reading] = reader.read({ lines: [...lines.slice(from, lastLine), ''], json: [] });
  const findings = (reading?.findings ?? []).filter(({ key }) => !isLeftOut(key));
  const environment: Record<string, FactValue> = {};
  const differing: Finding[] = [];
  for (const finding of findings) {
    const { key, value } = finding;
    if (typeof value === 'object') differing.push(finding);
    else environment[key] = value;
  }
  const name = environment['gpu.name'];
  return {
    environment: { ...environment, ...(typeof name === 'string' ? gpuFacts(name) : {}) },
    problems: differing.map(({ key, line }) =>
      leftOut(from + line, `The GPUs differ in ${key}: the fact was left out`, `各 GPU 的 ${key} 不同，未采用该信息`),
    ),
  };
}

/** Several processes of a launcher may run on one machine or on many. */
export function withoutCounts(environment: Facts): Facts {
  return Object.fromEntries(Object.entries(environment).filter(([key]) => !/^gpu\.(?:count|per_node)$/.test(key)));
}

/** `Fri Jul  3 22:11:09 2026`, the time of the machine, as ISO 8601; null for anything else. */
export function isoOfCtime(text: string): string | null {
  const found = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})$/.exec(text.trim());
  const month = months.indexOf(found?.[1] ?? '') + 1;
  if (!found || month === 0) return null;
  return `${found[4]}-${twoDigits(month)}-${twoDigits(Number(found[2]))}T${found[3]}Z`;
}

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export const twoDigits = (value: number): string => String(value).padStart(2, '0');
