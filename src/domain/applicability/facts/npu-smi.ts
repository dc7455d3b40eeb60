import { linkFindings, linkMatrixAt, plainLines, cutMatrix, type LinkKind } from './printed-values.js';
import { readNpuDetails } from './npu-smi-details.js';
import { readNpuTable } from './npu-smi-table.js';
import type { FactReader, Finding, ReadingProblem, ToolReading, ToolText } from './reader.js';

/** The tables of npu-smi for Huawei Ascend. It says nothing of CANN: its second version is that of the driver. */
export const npuSmi: FactReader = {
  tools: ['npu-smi info', 'npu-smi info -t board', 'npu-smi info -t usages', 'npu-smi info -t topo'],
  read(text: ToolText): readonly ToolReading[] {
    const lines = plainLines(text);
    const readings = [...readNpuTable(lines), ...readNpuDetails(lines), ...readTopology(lines)];
    return readings.sort((one, other) => one.firstLine - other.firstLine);
  },
};

/** Names of processors: NPU0, or Phy-ID0 where a card has two of them. */
const processor = /^(?:NPU|Phy-ID)\d{1,4}$/;

function readTopology(lines: readonly string[]): readonly ToolReading[] {
  return lines.flatMap((line, index) => {
    const matrix = /^\s*(?:NPU|Phy-ID)\d/.test(line) ? linkMatrixAt(lines, index, processor) : null;
    const [row] = matrix?.rows ?? [];
    if (!matrix || !row) return [];
    const { firstLine, lastLine } = matrix;
    const problems = matrix.isWhole ? missing(matrix.labels, row.line) : [cutMatrix(lastLine)];
    const links = matrix.rows.flatMap(({ cells, line: printedAt }) =>
      cells.flatMap((cell) => (isNoLink(cell) ? [] : { value: npuLink(cell), line: printedAt })),
    );
    const whole = [...counts(matrix.labels.length, row.line), ...linkFindings(links, hccs)];
    const findings: readonly Finding[] = [
      { key: 'vendor', value: 'huawei', line: firstLine },
      ...(matrix.isWhole ? whole : []),
    ];
    return [{ tool: 'npu-smi info -t topo', firstLine, lastLine, findings, problems }];
  });
}

const hccs = { kind: 'hccs', capability: 'hccs' } as const;

/** The processor itself, and SIO: the two dies of one package. */
const isNoLink = (cell: string): boolean => cell === 'X' || cell === 'SIO';

const linkKinds: ReadonlyMap<string, LinkKind> = new Map([
  ['HCCS', 'hccs'],
  ['HCCS_SW', 'hccs'],
  ['PIX', 'pcie'],
  ['PIB', 'pcie'],
  ['PXB', 'pcie'],
  ['PHB', 'pcie'],
  ['SYS', 'pcie'],
]);

const npuLink = (cell: string): LinkKind => linkKinds.get(cell) ?? 'unknown';

const counts = (value: number, line: number): readonly Finding[] =>
  ['gpu.per_node', 'gpu.count'].map((key) => ({ key, value, line }));

/** A container sees the processors that it was given. */
function missing(labels: readonly string[], line: number): readonly ReadingProblem[] {
  if (labels.every((label, place) => label.replace(/^\D+/, '') === String(place))) return [];
  const message = {
    en: `${labels.length} NPUs are listed, not numbered from 0: the machine may have more`,
    zh: `列出了 ${labels.length} 个 NPU，编号不是从 0 开始连续，机器上可能还有更多`,
  };
  return [{ line, message }];
}
