import { nvidiaCounts, unquoted } from './nvidia-devices.js';
import type { FactReader, Finding, ReadingProblem, ToolReading } from './reader.js';

/** No GPU has more NVLinks than this: whose peers together have more is connected through switches. */
const MOST_LINKS_OF_A_GPU = 18;
const MOST_LINE_LENGTH = 20_000;

/** Words of the cells; a terminal that is too narrow runs some together (`NODENODE`). */
const cell = /(?:NV\d{1,2}|SYS|NODE|PHB|PXB|PIX|SOC|X)/y;
/** Names that the kernel and udev give to RDMA devices. */
const rdmaDevice =
  /^(?:mlx[45]|bnxt_re|irdma|i40iw|rdmap|efa|rocep|roce|ibp|ibs|ib|hns|erdma|ionic|mana|qedr|cxgb4|hfi1|opap|siw|rxe)[\w-]*$/;

interface Matrix {
  /** The line of the heading, counted from 1. */
  readonly line: number;
  lastLine: number;
  readonly gpus: readonly string[];
  readonly nics: readonly string[];
  /** The cells between GPUs, by row and column. */
  readonly cells: Map<string, ReadonlyMap<string, string>>;
  legend: 'missing' | 'without NVLink' | 'with NVLink';
  isPciOnly: boolean;
  nicLine: number;
  readonly nicNames: Map<string, string>;
}

/** The matrix that begins in this line, null where none does. `topo -p2p` has other words in its cells. */
function matrixAt(lines: readonly string[], index: number): Matrix | null {
  const heading = unquoted(lines[index]).trim();
  if (heading.length > MOST_LINE_LENGTH || !/^GPU\d/.test(heading)) return null;
  const gpus = heading.match(/GPU\d{1,3}(?!\d)/g) ?? [];
  const isWhole = /CPU Affinity/.test(heading);
  if (new Set(gpus).size !== gpus.length || (gpus.length < 2 && !isWhole)) return null;
  const matrix: Matrix = {
    line: index + 1,
    lastLine: index + 1,
    gpus,
    nics: heading.match(/NIC\d{1,3}(?!\d)|\bmlx[45]_\w+/g) ?? [],
    cells: new Map(),
    legend: 'missing',
    isPciOnly: lines.slice(Math.max(0, index - 2), index).some((line) => /topo\s+(?:-mp|--matrix_pci)\b/.test(line)),
    nicLine: index + 1,
    nicNames: new Map(),
  };
  readRows(lines, matrix);
  if (matrix.cells.size === 0) return null;
  readLegends(lines, matrix);
  return matrix;
}

function readRows(lines: readonly string[], matrix: Matrix): void {
  for (let index = matrix.line; index < lines.length; index += 1) {
    const text = unquoted(lines[index]).trim();
    const [label] = /^(?:GPU\d{1,3}|NIC\d{1,3}|mlx[45]_\w+)(?=\s)/.exec(text) ?? [];
    if (label === undefined || text.length > MOST_LINE_LENGTH) return;
    if (matrix.gpus.includes(label)) {
      const words = cellsOf(text.slice(label.length), matrix.gpus.length);
      if (words === null || words[matrix.gpus.indexOf(label)] !== 'X') return;
      matrix.cells.set(label, new Map(matrix.gpus.map((gpu, column) => [gpu, words[column] ?? ''])));
    }
    matrix.lastLine = index + 1;
  }
}

function cellsOf(text: string, count: number): readonly string[] | null {
  const words: string[] = [];
  let at = 0;
  while (words.length < count) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    cell.lastIndex = at;
    const [word] = cell.exec(text) ?? [];
    if (word === undefined) return null;
    words.push(word);
    at += word.length;
  }
  return words;
}

/** `Legend:` explains the cells, `NIC Legend:` names the network devices. */
function readLegends(lines: readonly string[], matrix: Matrix): void {
  for (let index = matrix.lastLine; index < lines.length; index += 1) {
    const text = unquoted(lines[index]).trim();
    const [, nic, name] = /^(NIC\d{1,3}):\s{0,9}(\S{1,64})$/.exec(text) ?? [];
    if (text === 'Legend:') matrix.legend = 'without NVLink';
    else if (/^NV#\s+= /.test(text)) matrix.legend = 'with NVLink';
    else if (text === 'NIC Legend:') matrix.nicLine = index + 1;
    else if (nic !== undefined && name !== undefined) matrix.nicNames.set(nic, name);
    else if (text !== '' && !/^(?:X|SYS|NODE|PHB|PXB|PIX|SOC)\s+= /.test(text)) return;
    if (text !== '') matrix.lastLine = index + 1;
  }
}

/** The cells of all pairs of GPUs, each pair once or twice; null where a pair has none. */
function pairsOf({ gpus, cells }: Matrix): readonly string[] | null {
  const pairs: string[] = [];
  for (const [index, one] of gpus.entries()) {
    for (const other of gpus.slice(index + 1)) {
      const found = [cells.get(one)?.get(other), cells.get(other)?.get(one)].flatMap((word) => word ?? []);
      if (found.length === 0) return null;
      pairs.push(...found);
    }
  }
  return pairs;
}

interface Links {
  readonly findings: readonly Finding[];
  readonly problem?: ReadingProblem['message'];
}

const linksOfCell = (word: string) => (word.startsWith('NV') ? Number(word.slice(2)) : 0);

function linksOf(matrix: Matrix): Links {
  const pairs = pairsOf(matrix);
  if (pairs === null) return { findings: [], problem: rowsMissing };
  if (pairs.length === 0) return { findings: [] };
  const { line } = matrix;
  const linked = pairs.filter((word) => linksOfCell(word) > 0).length;
  if (linked === 0) return withoutNvlink(matrix);
  if (linked < pairs.length) return { findings: [], problem: mixed };
  const counts = new Set(pairs.map(linksOfCell));
  const [links] = counts;
  const findings: Finding[] = [
    { key: 'gpu.link', value: 'nvlink', line },
    { key: 'capability.nvlink', value: true, line },
  ];
  if (counts.size === 1 && links !== undefined) findings.push({ key: 'gpu.links', value: links, line });
  return { findings };
}

/** `topo -mp` leaves NVLink out of the cells and of the legend, so a whole legend must say that it was asked for. */
function withoutNvlink({ line, legend, isPciOnly }: Matrix): Links {
  if (isPciOnly || legend !== 'with NVLink')
    return { findings: [], problem: legend === 'missing' ? noLegend : pciOnly };
  return {
    findings: [
      { key: 'gpu.link', value: 'pcie', line },
      { key: 'capability.nvlink', value: false, line },
    ],
  };
}

function switchOf({ cells, line }: Matrix): readonly Finding[] {
  const sums = [...cells.values()].map((row) => [...row.values()].reduce((sum, word) => sum + linksOfCell(word), 0));
  const hasSwitch = sums.some((sum) => sum > MOST_LINKS_OF_A_GPU);
  return hasSwitch ? [{ key: 'capability.nvswitch', value: true, line }] : [];
}

/** Older drivers put the names of the devices at the head of the columns, newer ones into a legend. */
function nicsOf({ nics, nicNames, nicLine }: Matrix): readonly Finding[] {
  const names = nics.flatMap((nic) => nicNames.get(nic) ?? (nic.startsWith('NIC') ? [] : nic));
  const isWhole = names.length > 0 && names.length === nics.length && names.every((name) => rdmaDevice.test(name));
  return isWhole ? [{ key: 'nic.count', value: names.length, line: nicLine }] : [];
}

function readingOf(matrix: Matrix): ToolReading {
  const { line, lastLine, gpus, legend, cells } = matrix;
  const links = linksOf(matrix);
  const hasNvlink = legend === 'with NVLink' || [...cells.values()].some((row) => [...row.values()].some(linksOfCell));
  const vendor: readonly Finding[] = hasNvlink ? [{ key: 'vendor', value: 'nvidia', line }] : [];
  const findings = [
    ...vendor,
    ...nvidiaCounts({ count: gpus.length, line }),
    ...links.findings,
    ...switchOf(matrix),
    ...nicsOf(matrix),
  ];
  const problems = links.problem ? [{ line, message: links.problem }] : [];
  return { tool: 'nvidia-smi topo -m', firstLine: line, lastLine, findings, problems };
}

const rowsMissing = { en: 'Rows are missing from this matrix', zh: '该拓扑矩阵缺少若干行' };
const mixed = {
  en: 'Some pairs of GPUs are connected by NVLink and others are not',
  zh: '部分 GPU 之间有 NVLink 连接，部分没有',
};
const noLegend = {
  en: 'No NVLink here, but the legend is missing: paste the whole output of nvidia-smi topo -m',
  zh: '此处没有 NVLink，但缺少图例：请粘贴 nvidia-smi topo -m 的完整输出',
};
const pciOnly = {
  en: 'This is the output of nvidia-smi topo -mp, which leaves NVLink out: paste that of nvidia-smi topo -m',
  zh: '这是 nvidia-smi topo -mp 的输出，其中不包含 NVLink：请粘贴 nvidia-smi topo -m 的输出',
};

/** The matrix of connections that `nvidia-smi topo -m` prints, with tabs or with spaces. */
export const nvidiaSmiTopo: FactReader = {
  tools: ['nvidia-smi topo -m'],

  read({ lines }): readonly ToolReading[] {
    const matrices: Matrix[] = [];
    for (let index = 0; index < lines.length; index += 1) {
      const matrix = matrixAt(lines, index);
      if (!matrix) continue;
      matrices.push(matrix);
      index = matrix.lastLine - 1;
    }
    return matrices.map(readingOf);
  },
};
