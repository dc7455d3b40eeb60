import { gibibytes, type Printed } from './printed-values.js';
import type { Finding, ToolReading } from './reader.js';

interface Details {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly values: ReadonlyMap<string, Printed<string>>;
}

/**
 * `npu-smi info -t board`, `-t usages` and `-t memory`: lines `Key : value` that begin with the id of the NPU. They are
 * asked for one NPU, so that nothing is counted.
 */
export function readNpuDetails(lines: readonly string[]): readonly ToolReading[] {
  const readings: ToolReading[] = [];
  for (let index = 0; index < lines.length;) {
    const details = detailsAt(lines, index);
    if (details) readings.push(...readingOf(details));
    index = details ? details.lastLine : index + 1;
  }
  return readings;
}

function detailsAt(lines: readonly string[], start: number): Details | null {
  if (!/^\s*NPU ID\s+: ?\d{1,6}\s*$/.test(lines[start] ?? '')) return null;
  const values = new Map<string, Printed<string>>();
  let lastLine = start + 1;
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    // usages has an empty line after the number of chips
    if (line.trim() === '' && index === lastLine) continue;
    const [, key, value] = /^\s*([A-Z][\w()%/. -]{1,50}):(?:\s(.*))?$/.exec(line) ?? [];
    const name = key?.trim();
    if (name === undefined || name === 'NPU ID') break;
    lastLine = index + 1;
    if (!values.has(name)) values.set(name, { value: (value ?? '').trim(), line: index + 1 });
  }
  return { firstLine: start + 1, lastLine, values };
}

function readingOf({ firstLine, lastLine, values }: Details): readonly ToolReading[] {
  const isBoard = values.has('Firmware Version') && (values.has('Software Version') || values.has('Chip Name'));
  const isMemory = values.has('HBM Capacity(MB)');
  if (!isBoard && !isMemory) return [];
  const tool = isBoard ? 'board' : values.has('HBM Usage Rate(%)') ? 'usages' : 'memory';
  const findings: readonly Finding[] = [
    { key: 'vendor', value: 'huawei', line: firstLine },
    { key: 'architecture', value: 'ascend', line: firstLine },
    ...named(values.get('Chip Name')),
    ...memory(values.get('HBM Capacity(MB)')),
    ...driver(values.get('Software Version')),
  ];
  return [{ tool: `npu-smi info -t ${tool}`, firstLine, lastLine, findings, problems: [] }];
}

function named(name: Printed<string> | undefined): readonly Finding[] {
  return name && /\d/.test(name.value) ? [{ key: 'gpu.name', value: name.value, line: name.line }] : [];
}

function memory(capacity: Printed<string> | undefined): readonly Finding[] {
  const value = capacity && gibibytes(capacity.value);
  return capacity && value !== undefined ? [{ key: 'gpu.memory', value, line: capacity.line }] : [];
}

/** Software Version is that of the driver. */
function driver(version: Printed<string> | undefined): readonly Finding[] {
  return version && /^\d[\w.-]*$/.test(version.value)
    ? [{ key: 'driver', value: version.value, line: version.line }]
    : [];
}
