/** A small file of the format tunebook-lab: a step time in six interleaved rounds of four samples. */
export function labFile(variant: 'before' | 'after', change: Record<string, unknown> = {}): string {
  const scale = variant === 'before' ? 1 : 0.8;
  const rounds = [99, 100, 101, 100, 99.5, 100.5];
  const samples = rounds.flatMap((middle) =>
    [middle, middle, middle + 0.4, middle - 0.4].map((value) => round(value * scale)),
  );
  return JSON.stringify({
    tool: 'tunebook-lab',
    format_version: 1,
    experiment: 'fixture_step',
    item: 'TF32 for FP32 products',
    topic: 'fixture',
    variant,
    label: variant === 'before' ? 'FP32' : 'TF32',
    metric: 'step_time',
    unit: 'ms',
    direction: 'lower',
    samples,
    environment: {
      gpu: 'NVIDIA H200',
      gpu_count: 1,
      driver: '580.159.04',
      cuda: '13.0',
      torch: '2.11.0+cu130',
      date: '2026-11-29T17:00:00Z',
    },
    settings: { layers: 4, precision: variant === 'before' ? 'highest' : 'high' },
    measurement: {
      timer: 'CUDA events',
      warmup_calls: 3,
      rounds: 6,
      samples_per_round: 4,
      calls_per_sample: 1,
      interleaved: true,
    },
    ...change,
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
