import { cutText } from '../../cut-text.js';
import type { Facts, FactValue } from '../../measurement/environment-diff.js';
import { gpuFacts } from '../gpu.js';

/** What the output says about one launch of a benchmark, gathered line by line. */
export class Launch {
  /** Variables and versions, which hold for the launches after it too. */
  readonly environment: Record<string, FactValue>;
  readonly settings: Record<string, FactValue> = {};
  version: string | null = null;
  command: string | null = null;
  collective: string | null = null;
  private readonly gpus = new Map<number, string>();
  /** Only counted, never stored. */
  private readonly hosts = new Set<string>();

  constructor(environment: Facts) {
    this.environment = { ...environment };
  }

  facts(): Facts {
    const names = [...new Set(this.gpus.values())].sort();
    const [first] = names;
    if (first === undefined) return this.environment;
    const count = [...this.gpus.keys()].reduce((most, rank) => Math.max(most, rank), 0) + 1;
    return {
      ...(names.length === 1 ? gpuFacts(first) : { 'gpu.name': names }),
      'gpu.count': count,
      // with ranks missing from the list their hosts are missing too
      ...(this.gpus.size === count ? { 'nodes.count': this.hosts.size } : {}),
      ...this.environment,
    };
  }

  take(text: string): void {
    this.takeCollective(text);
    this.takeRank(text);
    this.takeParameters(text);
    this.takeMessage(text);
  }

  /** Versions and the variables that NCCL says it was given; nothing else of its log is kept. */
  takeMessage(text: string): void {
    const version =
      /\b(NCCL|RCCL) version\s*:?\s*(\d+\.\d+\.\d+(?:\.\d+)?)(?:[-\w]*\+(cuda|hip|rocm)(\d+\.\d+(?:\.\d+)*))?/.exec(
        text,
      );
    if (version?.[1] && version[2]) this.environment[version[1].toLowerCase()] = version[2];
    if (version?.[3] && version[4]) this.environment[version[3] === 'cuda' ? 'cuda' : 'rocm'] = version[4];
    const variable = /\b((?:NCCL|RCCL)_[A-Z0-9_]+) set (?:by environment )?to (\S{1,200}?)\.?$/.exec(text.trimEnd());
    if (variable?.[1] && variable[2]) this.environment[`env.${variable[1]}`] = variable[2];
  }

  private takeCollective(text: string): void {
    const found = collectives.exec(text)?.[1];
    if (!found) return;
    this.collective = found;
    if (/^\s*(\$|mpirun|srun|\.\/|\/)/.test(text)) this.command = text.trim().replace(/^\$\s*/, '');
  }

  private takeRank(text: string): void {
    const found = rankLine.exec(text);
    if (!found) return;
    this.gpus.set(Number(found[1]), (found[3] ?? '').trim());
    this.hosts.add(found[2] ?? '');
  }

  private takeParameters(text: string): void {
    this.version = /nccl-tests version (\d+(?:\.\d+)+)/.exec(text)?.[1] ?? this.version;
    const library = /nccl-library=(\d{5})\b/.exec(text)?.[1];
    if (library)
      this.environment.nccl ??= [library.slice(0, 1), library.slice(1, 3), library.slice(3)].map(Number).join('.');
    if (!isParameterLine(text)) return;
    for (const [key, pattern] of parameters) {
      const value = pattern.exec(text)?.[1];
      if (value !== undefined)
        this.settings[`workload.${key}`] = /^\d{1,15}$/.test(value) ? Number(value) : cutText(value, 100);
    }
  }
}

/** True for a line with which the output of a launch begins. */
export function startsLaunch(text: string): boolean {
  return (
    isParameterLine(text) ||
    /Collective test starting|nccl-tests version \d/.test(text) ||
    rankLine.exec(text)?.[1] === '0'
  );
}

function isParameterLine(text: string): boolean {
  return /\bnThread \d+ nGpus \d+ minBytes \d+/.test(text);
}

const rankLine =
  /^[#\s]*Rank\s+(\d{1,6})\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\s+\d+\s+\[[^\]]*\]\s+(\S.*)$/;

const collectives =
  /\b(all_reduce|all_gather|reduce_scatter|broadcast|reduce|alltoallv|alltoall|all_to_all|sendrecv|gather|scatter|hypercube)(?:_bias)?_perf\b/;

const parameters: readonly (readonly [string, RegExp])[] = [
  ['min_bytes', /\bminBytes (\d+)/],
  ['max_bytes', /\bmaxBytes (\d+)/],
  ['size_step', /\bstep: (\S+)/],
  ['warmup_iterations', /\bwarmup iters: (\d+)/],
  ['iterations', /(?<!warmup |agg )\biters: (\d+)/],
  ['aggregated_iterations', /\bagg iters: (\d+)/],
  ['cuda_graph_launches', /\bgraph: (\d+)/],
];
