import { nvidiaSmiLogs, nvidiaSmiQ as facts } from '../../applicability/facts/nvidia-smi-q.js';
import { unquoted } from '../../applicability/facts/nvidia-devices.js';
import { error, incomplete, warning, type Importer, type Reading } from '../importer.js';
import { labeledLines, linesOf } from '../labeled-lines.js';
import { startedAtOf } from '../started-at.js';
import { ClockLimits } from './clock-limits.js';
import { readBySource } from './by-source.js';
import { gpu } from './gpu-columns.js';
import { monitorReading, plainNumber } from './monitor-run.js';
import { isoOfCtime, nvidiaFacts } from './nvidia-facts.js';
import { Monitor, type Column } from './ticks.js';

/** The text of `nvidia-smi -q`, whole or for chosen sections (`-d`); printed again and again (`-l`), each is a tick. */
export const nvidiaSmiQ: Importer = {
  tool: 'nvidia-smi-q',
  what: 'nvidia-smi -q',

  recognizes: (text) =>
    text.includes('NVSMI LOG') &&
    logsOf(Array.from(labeledLines(text), (line) => unquoted(line.text))).some(({ gpus }) => gpus.length > 0),

  nearMiss(text) {
    if (/^\s{0,100}<\?xml/.test(text) && text.includes('<nvidia_smi_log>')) {
      return error(
        1,
        'The XML of nvidia-smi -q -x is not read: send the output of nvidia-smi -q or --query-gpu',
        '不读取 nvidia-smi -q -x 的 XML，请上传 nvidia-smi -q 或 --query-gpu 的输出',
      );
    }
    let number = 0;
    for (const line of linesOf(text.slice(0, LOOKED_AT))) {
      number += 1;
      if (/^ {8}(?:(?:Average |Instantaneous )?Power Draw|GPU Current Temp) {1,60}: \d/.test(line)) {
        return error(
          number,
          'This looks like nvidia-smi -q without its first lines: send it from the line NVSMI LOG',
          '这看起来像缺少开头的 nvidia-smi -q 输出，请从 NVSMI LOG 那一行开始上传',
        );
      }
    }
    return null;
  },

  read: (text): Reading => readBySource(text, readLogs),
};

function readLogs(lines: readonly string[]): Reading {
  const logs = logsOf(lines).filter(({ gpus }) => gpus.length > 0);
  const [first] = logs;
  if (!first) return { runs: [], problems: [] };
  const monitor = new Monitor();
  const limits = new ClockLimits();
  for (const log of logs) {
    for (const [index, { printed, line }] of log.gpus.entries()) {
      const device = monitor.device({ gpu: index });
      for (const { column, paths } of measured) {
        const values = paths.map((path) => numberAt(printed.get(path)?.text, column.unit));
        const value = values.find((each) => each !== null);
        if (value !== undefined && value !== null) device.add(column, value);
      }
      const errors = uncorrected.flatMap((path) => numberAt(printed.get(path)?.text, '') ?? []);
      if (errors.length > 0) {
        device.add(
          gpu.uncorrectedErrors,
          errors.reduce((sum, count) => sum + count, 0),
        );
      }
      const states = reasons.flatMap(([path, name]) => {
        const state = printed.get(path)?.text;
        return state === 'Active' ? [name] : state === 'Not Active' ? [null] : [];
      });
      const active = states.filter((name) => name !== null);
      if (states.length > 0) limits.take(device.dimensions, active, line);
    }
  }
  const { environment, problems } = nvidiaFacts(facts, lines, first);
  const timestamp = first.header.get('timestamp');
  const iso = timestamp ? isoOfCtime(timestamp.text) : null;
  const started = timestamp && iso !== null ? startedAtOf(iso, timestamp.text, timestamp.line) : null;
  const cut = logs.find(({ header, gpus }) => Number(header.get('attached gpus')?.text ?? gpus.length) > gpus.length);
  const open = cutLine(lines, logs.at(-1)?.gpus.at(-1)?.line ?? 0);
  return monitorReading({
    tool: 'nvidia-smi-q',
    startedAt: started?.startedAt ?? null,
    environment,
    observations: [...monitor.observations(), ...limits.observations()],
    isPartial: (cut === logs.at(-1) && cut !== undefined) || open !== null,
    problems: [
      ...problems,
      ...(open === null ? [] : [cutGpu(open)]),
      ...(cut ? [missingGpus(cut.firstLine, cut.header.get('attached gpus')?.text ?? '', cut.gpus.length)] : []),
      ...limits.problems(),
      ...(started?.problems ?? []),
    ],
    line: first.firstLine,
  });
}

const LOOKED_AT = 65_536;

/** For each thing measured the paths that hold it; the first one with a value counts. */
const measured: readonly { readonly column: Column; readonly paths: readonly string[] }[] = [
  {
    column: gpu.power,
    paths: [
      'gpu power readings/average power draw',
      'gpu power readings/power draw',
      'power readings/power draw',
      'gpu power readings/instantaneous power draw',
    ],
  },
  { column: gpu.temperature, paths: ['temperature/gpu current temp'] },
  { column: gpu.memoryTemperature, paths: ['temperature/memory current temp'] },
  { column: gpu.utilization, paths: ['utilization/gpu'] },
  { column: gpu.memoryUtilization, paths: ['utilization/memory'] },
  { column: gpu.encoder, paths: ['utilization/encoder'] },
  { column: gpu.decoder, paths: ['utilization/decoder'] },
  { column: gpu.jpeg, paths: ['utilization/jpeg'] },
  { column: gpu.opticalFlow, paths: ['utilization/ofa'] },
  { column: gpu.memoryUsed, paths: ['fb memory usage/used'] },
  { column: gpu.coreClock, paths: ['clocks/sm'] },
  { column: gpu.memoryClock, paths: ['clocks/memory'] },
];

/** Errors since the driver was loaded, over all memories. */
const uncorrected = [
  ...['device memory', 'register file', 'l1 cache', 'l2 cache', 'texture memory', 'texture shared', 'cbu'].map(
    (memory) => `ecc errors/volatile/double bit/${memory}`,
  ),
  'ecc errors/volatile/dram uncorrectable',
  'ecc errors/volatile/sram uncorrectable',
  'ecc errors/volatile/sram uncorrectable parity',
  'ecc errors/volatile/sram uncorrectable sec-ded',
];

/** Drivers from 535 on say event where older ones say throttle. */
const reasons = ['clocks event reasons', 'clocks throttle reasons'].flatMap((section) => [
  [`${section}/sw power cap`, 'SW Power Cap'] as const,
  [`${section}/hw slowdown`, 'HW Slowdown'] as const,
  [`${section}/hw slowdown/hw thermal slowdown`, 'HW Thermal Slowdown'] as const,
  [`${section}/hw slowdown/hw power brake slowdown`, 'HW Power Brake Slowdown'] as const,
  [`${section}/sw thermal slowdown`, 'SW Thermal Slowdown'] as const,
]);

const paths = new Set([...measured.flatMap((each) => each.paths), ...uncorrected, ...reasons.map(([path]) => path)]);

const logsOf = (lines: readonly string[]) => nvidiaSmiLogs(lines, paths);

/** The number before the unit, such as `110.24 W`. */
function numberAt(text: string | undefined, unit: string): number | null {
  const end = unit === '' ? '' : ` ${unit}`;
  return text?.endsWith(end) ? plainNumber(text.slice(0, text.length - end.length)) : null;
}

/** The last line where the page of the last GPU ends before its processes, which every whole page has; else null. */
function cutLine(lines: readonly string[], from: number): number | null {
  const page = lines.slice(from);
  if (!page.some((line) => /^ {4}Product Name\b/.test(line)) || page.some((line) => /^ {4}Processes\b/.test(line))) return null;
  return from + page.findLastIndex((line) => line.trim() !== '') + 1;
} // prettier-ignore

function cutGpu(line: number) {
  return incomplete(
    line,
    'The page of the last GPU ends before its processes: the output is cut',
    '最后一块 GPU 的信息在 Processes 之前中断，输出不完整',
  );
}

function missingGpus(line: number, stated: string, printed: number) {
  return warning(
    line,
    `The tool states ${stated} attached GPUs and prints ${printed} here`,
    `工具报告共有 ${stated} 块 GPU，但此处只列出了 ${printed} 块`,
    { code: 'INCOMPLETE' },
  );
}
