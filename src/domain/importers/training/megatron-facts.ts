import type { Facts, FactValue } from '../../measurement/environment-diff.js';

/** What Megatron and the report of DeepSpeed print before the first iteration: `name ......... value`. */
export class MegatronFacts {
  private readonly values = new Map<string, string>();
  startedAt: { readonly iso: string; readonly given: string; readonly line: number } | null = null;

  take(line: string, number: number): void {
    if (line.includes(' ..')) {
      const found = /^\s{0,20}([a-z][a-z0-9_]{1,60}(?: [a-z]{1,20}){0,3}) \.{2,80} (\S.{0,200})/.exec(line);
      if (found) this.set(found[1] ?? '', found[2] ?? '');
    } else if (line.includes('using world size: ')) this.takeWorld(line);
    else if (line.includes('datetime: ')) this.takeStart(line, number);
  }

  environment(): Facts {
    return facts({
      'gpu.count': this.number('world_size'),
      deepspeed: this.version('deepspeed info'),
      torch: this.version('torch version'),
      cuda: this.version('torch cuda version'),
      rocm: this.version('torch hip version'),
      vendor: this.version('torch hip version') ? 'amd' : this.version('torch cuda version') ? 'nvidia' : null,
    });
  }

  workload(): Facts {
    return facts({
      'workload.framework': 'megatron',
      'workload.precision': this.precision(),
      ...Object.fromEntries(axes.map(([key, axis]) => [`workload.parallelism.${axis}`, this.number(key)])),
      ...Object.fromEntries(settings.map((key) => [`workload.settings.${key}`, this.value(key)])),
    });
  }

  private set(name: string, value: string): void {
    // several hosts print the same
    if (!this.values.has(name) && this.values.size < 2_000) this.values.set(name, value.trim());
  }

  private takeWorld(line: string): void {
    const sizes = line.matchAll(/([a-z][a-z -]{2,60}?)[- ]size: (\d{1,7})/g);
    for (const [, name = '', value = ''] of sizes) {
      const key = name.replace(/^using /, '').trim().replace(/[- ]/g, '_');
      this.set(`${key}_size`, value);
    } // prettier-ignore
  }

  /** A local time without zone; taken as UTC, for want of better. */
  private takeStart(line: string, number: number): void {
    const found = /before the start of training step\] datetime: (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/.exec(line);
    if (found) this.startedAt ??= { iso: `${found[1]}T${found[2]}Z`, given: `${found[1]} ${found[2]}`, line: number };
  }

  private value(key: string): FactValue {
    const found = this.values.get(key);
    if (found === undefined || found === 'None') return null;
    if (found === 'True' || found === 'False') return found === 'True';
    return this.number(key) ?? (/^[\w.,: -]{1,60}$/.test(found) ? found : null);
  }

  private number(key: string): number | null {
    const found = this.values.get(key) ?? '';
    return /^\d{1,12}$/.test(found) ? Number(found) : null;
  }

  private version(key: string): string | null {
    const found = (this.values.get(key) ?? '').split(',')[0]?.trim() ?? '';
    return /^\d[\w.+-]{0,60}$/.test(found) ? found : null;
  }

  private precision(): string | null {
    if (/^(?:hybrid|e4m3|e5m2)$/.test(this.values.get('fp8') ?? '')) return 'fp8';
    const type = this.values.get('params_dtype') ?? '';
    return { 'torch.float16': 'fp16', 'torch.bfloat16': 'bf16', 'torch.float32': 'fp32' }[type] ?? null;
  }
}

const axes = [
  ['tensor_model_parallel_size', 'tp'],
  ['pipeline_model_parallel_size', 'pp'],
  ['data_parallel_size', 'dp'],
  ['context_parallel_size', 'cp'],
  ['expert_model_parallel_size', 'ep'],
  ['sequence_parallel_size', 'sp'],
  ['virtual_pipeline_model_parallel_size', 'vpp'],
] as const;

/** Arguments that change how much there is to compute, or how it is done. */
const settings = [
  'micro_batch_size', 'seq_length', 'num_layers', 'hidden_size', 'ffn_hidden_size', 'num_attention_heads',
  'num_query_groups', 'num_experts', 'moe_router_topk', 'zero_stage', 'cpu_optimizer', 'cpu_offload',
  'checkpoint_activations', 'checkpoint_num_layers', 'recompute_granularity', 'recompute_method', 'recompute_num_layers',
  'sequence_parallel', 'use_distributed_optimizer', 'overlap_grad_reduce', 'overlap_param_gather', 'tp_comm_overlap',
  'use_flash_attn', 'transformer_impl', 'deepspeed', 'log_interval',
]; // prettier-ignore

function facts(values: Readonly<Record<string, FactValue>>): Facts {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
