import { plainLine, stated } from './fact-lines.js';
import type { FactReader, Finding, ToolReading } from './reader.js';

/** `/etc/os-release` and `uname -a`: operating system, kernel, architecture. The host name of `uname` is passed over. */
export const hostSystem: FactReader = {
  tools: ['cat /etc/os-release', 'uname -a'],
  read({ lines }) {
    const readings = [...osReleases(lines), ...lines.flatMap((line, index) => uname(plainLine(line), index + 1) ?? [])];
    return readings.sort((left, right) => left.firstLine - right.firstLine);
  },
};

const assignment = /^([A-Z][A-Z0-9_]{0,40})=("[^"]*"|'[^']*'|\S*)$/;

interface Assigned {
  readonly values: Map<string, { readonly value: string; readonly line: number }>;
  readonly firstLine: number;
  lastLine: number;
}

function osReleases(lines: readonly string[]): readonly ToolReading[] {
  const places: Assigned[] = [];
  let isOpen = false;
  for (const [index, raw] of lines.entries()) {
    const [, name, value] = assignment.exec(plainLine(raw)) ?? [];
    const last = isOpen ? places.at(-1) : undefined;
    isOpen = name !== undefined && value !== undefined;
    if (name === undefined || value === undefined) continue;
    const line = index + 1;
    const said = { value: value.replace(/^["']|["']$/g, ''), line };
    if (last && !last.values.has(name)) {
      last.values.set(name, said);
      last.lastLine = line;
    } else places.push({ values: new Map([[name, said]]), firstLine: line, lastLine: line });
  }
  return places.flatMap((place) => osRelease(place) ?? []);
}

function osRelease({ values, firstLine, lastLine }: Assigned): ToolReading | null {
  const pretty = values.get('PRETTY_NAME');
  const name = stated(pretty?.value);
  if (!pretty || name === null || !['NAME', 'ID', 'VERSION_ID'].some((key) => values.has(key))) return null;
  const findings = [{ key: 'os', value: name, line: pretty.line }];
  return { tool: 'cat /etc/os-release', firstLine, lastLine, findings, problems: [] };
}

const machines = /\s(x86_64|aarch64|ppc64le|ppc64|s390x|riscv64|loongarch64|armv7l|i686)(?=\s|$)/;

function uname(text: string, line: number): ToolReading | null {
  const [, release, rest] = /^Linux \S{1,255} (\d{1,3}\.\d\S{0,120}) #(\d.{0,400})$/.exec(text) ?? [];
  const machine = machines.exec(rest ?? '')?.[1];
  if (release === undefined || machine === undefined) return null;
  const findings: readonly Finding[] = [
    { key: 'kernel', value: release, line },
    { key: 'cpu.architecture', value: machine, line },
  ];
  return { tool: 'uname -a', firstLine: line, lastLine: line, findings, problems: [] };
}
