import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';
import { warning, type ImportProblem, type ReadRun } from '../importer.js';
import type { ProblemCode } from '../problem-codes.js';
import { kindOf, observationsOf, sumDisagrees, type Matrix } from './nvbandwidth-cells.js';

/** One execution of nvbandwidth, with all its tests. */
export interface Execution {
  readonly line: number;
  version: string | null;
  driver: string | null;
  /** As the driver counts: 12040 for 12.4. */
  cuda: number | null;
  command: string | null;
  /** Names of GPUs, by what counts them. */
  readonly devices: Map<string, string>;
  readonly matrices: Matrix[];
  /** Tests that began and have no result. */
  readonly lost: { readonly test: string; readonly line: number }[];
  /** Rows or columns that somebody left out. */
  elided: number;
  isSmallBuffer: boolean;
}

export function newExecution(line: number): Execution {
  return {
    line,
    version: null,
    driver: null,
    cuda: null,
    command: null,
    devices: new Map(),
    matrices: [],
    lost: [],
    elided: 0,
    isSmallBuffer: false,
  };
}

export function runOf(execution: Execution): ReadRun {
  return {
    status: execution.lost.length + execution.elided > 0 ? 'PARTIAL' : 'OK',
    tool: 'nvbandwidth',
    toolVersion: execution.version,
    variant: null,
    startedAt: null,
    command: execution.command,
    environment: environmentOf(execution),
    workload: { 'workload.tool': 'nvbandwidth' },
    session: null,
    block: null,
    observations: execution.matrices.flatMap(observationsOf),
  };
}

function environmentOf({ devices, driver, cuda }: Execution): Facts {
  const facts: Record<string, FactValue> = {};
  const names = [...new Set(devices.values())].sort();
  const [first] = names;
  if (first !== undefined) Object.assign(facts, names.length === 1 ? gpuFacts(first) : { 'gpu.name': names });
  if (devices.size > 0) facts['gpu.count'] = devices.size;
  if (driver !== null) facts.driver = driver;
  if (cuda !== null) facts['driver.cuda'] = `${Math.floor(cuda / 1000)}.${Math.floor((cuda % 1000) / 10)}`;
  return facts;
}

export function problemsOf(execution: Execution): readonly ImportProblem[] {
  const { line, lost, elided, matrices } = execution;
  const found: ImportProblem[] = [];
  const say = (code: ProblemCode) => (at: number, en: string, zh: string) => found.push(warning(at, en, zh, { code }));
  const [warn, lacking] = [say('LEFT_OUT'), say('INCOMPLETE')];
  const [first] = lost;
  if (first) {
    const names = [...new Set(lost.map(({ test }) => test))].slice(0, 5).join(', ');
    lacking(first.line, `Tests without a whole result: ${names}`, `没有完整结果的测试：${names}`);
  }
  if (elided > 0)
    lacking(line, 'Parts of the matrices were left out of the file ("...")', '文件中省略了部分矩阵（“...”）');
  const unknown = [...new Set(matrices.filter(({ test }) => !kindOf(test)).map(({ test }) => test))];
  if (unknown.length > 0) {
    const names = unknown.slice(0, 5).join(', ').slice(0, 300);
    warn(line, `Tests that are not known were left out: ${names}`, `未采用未知的测试：${names}`);
  }
  for (const matrix of matrices.filter(sumDisagrees).slice(0, 5)) {
    warn(
      matrix.line,
      `The sum of ${matrix.test} (${matrix.sum ?? 0}) was left out: it is not the sum of the cells`,
      `未采用 ${matrix.test} 的合计（${matrix.sum ?? 0}）：与各单元格之和不符`,
    );
  }
  if (execution.isSmallBuffer) {
    say('OVERHEAD')(
      line,
      'The buffer is smaller than the default: the bandwidth may be below its peak',
      '缓冲区小于默认值，带宽可能低于峰值',
    );
  }
  return found;
}

/** Which of the matrices of a bidirectional test this is, by its title. */
export function partOf(title: string): string | null {
  const found = /\b(Read|Write)([12])\b|\b(Total) bandwidth/.exec(title);
  if (!found) return null;
  return found[3] === undefined ? `${(found[1] ?? '').toLowerCase()} ${found[2] ?? ''}` : 'total';
}
