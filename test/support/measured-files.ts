import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with files of benchmark tools, made for one spec. */
export class MeasuredFiles {
  private constructor(readonly folder: string) {}

  static async make(): Promise<MeasuredFiles> {
    return new MeasuredFiles(await mkdtemp(join(tmpdir(), 'tunebook-measured-')));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  async write(name: string, content: string | Buffer): Promise<string> {
    await writeFile(join(this.folder, name), content);
    return name;
  }

  /** One file for each value of the time to first token, in milliseconds, named `<name>-1.json` and so on. */
  async serving(name: string, ttft: readonly number[], more: object = {}): Promise<readonly string[]> {
    return Promise.all(
      ttft.map((value, index) =>
        this.write(
          `${name}-${index + 1}.json`,
          JSON.stringify({ ...serving(value), date: dateOf(name, index), ...more }),
        ),
      ),
    );
  }

  /** One file with the seconds of a command. */
  hyperfine(name: string, command: string, times: readonly number[], exitCode = 0): Promise<string> {
    const sorted = [...times].sort((a, b) => a - b);
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    const result = {
      command,
      mean,
      stddev: 0.01,
      median: sorted.length % 2 === 1 ? sorted[(sorted.length - 1) / 2] : mean,
      user: 0.2,
      system: 0.05,
      min: sorted[0],
      max: sorted.at(-1),
      times,
      exit_codes: times.map(() => exitCode),
    };
    return this.write(name, JSON.stringify({ results: [result] }, null, 2));
  }
}

/** Contents differ, as they do where something was measured again. */
function dateOf(name: string, index: number): string {
  const seconds = String(index).padStart(2, '0');
  return `2026020${(name.length % 8) + 1}-1200${seconds}`;
}

function serving(ttft: number) {
  return {
    endpoint_type: 'openai',
    backend: 'openai',
    model_id: 'example/Model-7B',
    num_prompts: 100,
    request_rate: 'inf',
    burstiness: 1,
    max_concurrency: 32,
    duration: 20,
    completed: 100,
    failed: 0,
    total_input_tokens: 51_200,
    total_output_tokens: 12_800,
    request_throughput: 500 / ttft,
    output_throughput: 64_000 / ttft,
    mean_ttft_ms: ttft,
    median_ttft_ms: ttft,
    mean_tpot_ms: 12.5,
    mean_itl_ms: 12.5,
  };
}
