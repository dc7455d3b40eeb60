import type { ReadObservation } from '../importer.js';

/** A test of nvbandwidth: what its numbers are, and what row and column of its matrix stand for. */
export interface Kind {
  readonly metric: string;
  readonly unit: 'GB/s' | 'ns';
  readonly row: 'cpu' | 'peer' | null;
}

/** By the key of the test, which all versions write; null for one that is not known. */
export function kindOf(test: string): Kind | null {
  if (test === 'host_device_latency_sm') return { metric: 'io.host_device_latency', unit: 'ns', row: 'cpu' };
  if (test === 'device_to_device_latency_sm') return { metric: 'fabric.p2p_latency', unit: 'ns', row: 'peer' };
  if (test === 'device_local_copy') return { metric: 'memory.local_copy_bandwidth', unit: 'GB/s', row: null };
  if (/^(host_to_device|host_to_all)_/.test(test)) return { metric: 'io.h2d_bandwidth', unit: 'GB/s', row: 'cpu' };
  if (/^(device_to_host|all_to_host)_/.test(test)) return { metric: 'io.d2h_bandwidth', unit: 'GB/s', row: 'cpu' };
  if (/^(multinode_)?(device_to_device|all_to_one|one_to_all|bisect)_/.test(test)) {
    return { metric: 'fabric.p2p_bandwidth', unit: 'GB/s', row: 'peer' };
  }
  return null;
}

/** One matrix as it was printed; a cell that is null has no value. */
export interface Matrix {
  readonly test: string;
  readonly line: number;
  /** Which of the matrices of a bidirectional test: each direction, or their sum. */
  readonly part: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (number | null)[] }[];
  sum: number | null;
}

/** Equal as far as two decimals of each cell can tell. */
export function sumDisagrees({ rows, sum }: Matrix): boolean {
  const cells = rows.flatMap((row) => row.cells).filter((cell) => cell !== null);
  const own = cells.reduce((total, cell) => total + cell, 0);
  return sum !== null && Math.abs(sum - own) > 0.006 * (cells.length + 1) + 1e-5 * own;
}

/** The cells one by one, and the sum of a bandwidth, which grows with the number of GPUs. A sum of latencies says nothing. */
export function observationsOf(matrix: Matrix): readonly ReadObservation[] {
  const kind = kindOf(matrix.test);
  if (!kind) return [];
  const { metric, unit } = kind;
  const base = { test: matrix.test, ...(matrix.part === null ? {} : { part: matrix.part }) };
  const found: ReadObservation[] = [];
  for (const { name, cells } of matrix.rows) {
    for (const [index, value] of cells.entries()) {
      // a GPU does not copy to itself here; a bandwidth of 0 is an empty place of the matrix
      if (value === null || value <= 0) continue;
      const row =
        kind.row === null || (kind.row === 'cpu' && matrix.rows.length === 1) ? {} : { [kind.row]: placeOf(name) };
      const gpu = placeOf(matrix.columns[index] ?? String(index));
      found.push({ metric, dimensions: { ...base, gpu, ...row }, value, unit });
    }
  }
  const { sum } = matrix;
  if (unit === 'GB/s' && sum !== null && sum > 0 && !sumDisagrees(matrix)) {
    found.push({ metric, dimensions: { ...base, aggregate: 'sum' }, value: sum, unit });
  }
  return found;
}

/** Devices and NUMA nodes are numbered; a cluster may write words, of which hosts must not stay. */
function placeOf(name: string): string | number {
  return /^\d{1,6}$/.test(name) ? Number(name) : name.replace(/\W.*$/, '').slice(0, 20);
}
