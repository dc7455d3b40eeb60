// `npm run bench:import-memory`: reads files of about 50 MB, each in a fresh process, and prints how much memory that
// takes over holding the text alone. `npm run bench:import-memory -- 20 fio` makes files of 20 MB, of formats with `fio`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kilobyte = 1024;
const megabyte = kilobyte * kilobyte;

/** Numbers that look measured, the same in every run. */
function noise(index) {
  return (((index * 2654435761) % 4294967296) / 4294967296).toFixed(6);
}

function repeated(size, line, head = '', tail = '', joint = '\n') {
  const parts = [];
  let length = head.length + tail.length;
  for (let index = 0; length < size; index += 1) {
    const part = line(index);
    parts.push(part);
    length += part.length + joint.length;
  }
  return head + parts.join(joint) + tail;
}

const fixture = (name) =>
  readFileSync(fileURLToPath(new URL(`../test/fixtures/importers/${name}`, import.meta.url)), 'utf8');

/** A JSON file that its tool made, with one of its parts in it many times. */
function enlarged(name, size, change) {
  const json = JSON.parse(fixture(name));
  return change(json, size);
}

const kinds = {
  'torch-profiler-trace': (size) =>
    repeated(
      size,
      (index) =>
        `{"ph":"X","cat":"kernel","name":"kernel_${index % 40}","pid":0,"tid":7,"ts":${index * 10},"dur":${8 * noise(index)},"args":{"stream":7,"correlation":${index},"grid":[${index % 9},1,1]}}`,
      '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA H100 80GB HBM3"}],"traceEvents":[\n',
      '\n]}',
      ',\n',
    ),
  'aiperf-records': (size) => {
    const lines = fixture('aiperf-records/profile-export.jsonl').split('\n');
    const line = lines.find((each) => each.includes('request_latency') && !each.includes('warmup')) ?? '';
    return repeated(size, () => line);
  },
  'prometheus-query-range': (size) => {
    const values = (seed) =>
      Array.from({ length: 40_000 }, (_, index) => `[${1767605400 + index},"${noise(index + seed)}"]`).join(',');
    return repeated(
      size,
      (index) => `{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","gpu":"${index}"},"values":[${values(index)}]}`,
      '{"status":"success","data":{"resultType":"matrix","result":[',
      ']}}',
      ',',
    );
  },
  // scrapes of eight GPUs one after another, each a second later
  'prometheus-exposition': (size) =>
    repeated(
      size,
      (index) =>
        `DCGM_FI_DEV_${['GPU_UTIL', 'POWER_USAGE', 'FB_USED'][index % 3]}{gpu="${Math.floor(index / 3) % 8}",modelName="NVIDIA H100 80GB HBM3"} ${(100 * noise(index)).toFixed(3)}`,
    ),
  'guidellm-json': (size) =>
    enlarged('guidellm-json/concurrent-0-6.json', size, (json) => {
      const [benchmark] = json.benchmarks;
      const request = { type_: 'generative_request_stats', request_id: 'r', prompt_tokens: 512, output_tokens: 128 };
      const count = Math.floor(size / 220);
      const successful = Array.from({ length: count }, (_, index) => ({
        ...request,
        request_latency: Number(noise(index)),
        time_to_first_token_ms: Number(noise(index + 7)),
        inter_token_latency_ms: Number(noise(index + 13)),
      }));
      for (const totals of [benchmark.metrics.request_totals, benchmark.request_totals])
        if (totals) totals.successful = count;
      return JSON.stringify({
        ...json,
        benchmarks: [{ ...benchmark, requests: { ...benchmark.requests, successful } }],
      });
    }),
  'nvidia-smi-query-csv': (size) =>
    repeated(
      size,
      (index) =>
        `2026/01/05 ${String(10 + (Math.floor(index / 28_800) % 14)).padStart(2, '0')}:${String(Math.floor(index / 480) % 60).padStart(2, '0')}:${String(Math.floor(index / 8) % 60).padStart(2, '0')}.000, ${index % 8}, NVIDIA H100 80GB HBM3, ${Math.floor(100 * noise(index))} %, ${300 + Math.floor(300 * noise(index + 7))}.10 W, 32000 MiB`,
      'timestamp, index, name, utilization.gpu [%], power.draw [W], memory.used [MiB]\n',
    ),
  'ncu-csv': (size) =>
    repeated(
      size,
      (index) =>
        `"${index}","77","python","host","kernel_${index % 40}","1","7","(256, 1, 1)","(108, 1, 1)","0","9.0","GPU Speed Of Light Throughput","Duration","us","${(100 * noise(index)).toFixed(2)}"`,
      '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"\n',
    ),
  'vllm-bench-serve': (size) =>
    enlarged('vllm-bench-serve/summary.json', size, (json) => {
      const count = Math.floor(size / 750);
      const itls = Array.from({ length: count }, (_, index) =>
        Array.from({ length: 70 }, (__, at) => Number(noise(index * 70 + at))),
      );
      return JSON.stringify({
        ...json,
        completed: count,
        num_prompts: count,
        ttfts: itls.map((_, index) => Number(noise(index))),
        itls,
        input_lens: itls.map(() => 512),
        output_lens: itls.map(() => 71),
        errors: itls.map(() => ''),
      });
    }),
  'fio-json': (size) =>
    enlarged('fio-json/json-plus-two-groups.json', size, (json) => {
      const bins = Object.fromEntries(
        Array.from({ length: Math.floor(size / 14) }, (_, index) => [String(index), index % 7]),
      );
      for (const job of json.jobs) if (job.read?.clat_ns) job.read.clat_ns.bins = job === json.jobs[0] ? bins : {};
      return JSON.stringify(json, null, 1);
    }),
  'megatron-log': (size) => {
    const lines = fixture('megatron-log/iterations.txt').split('\n');
    const line = lines.find((each) => / iteration\s+\d+\//.test(each)) ?? '';
    return repeated(size, (index) => line.replace(/iteration\s+\d+\/\s*\d+/, `iteration ${index + 1}/ 99999999`));
  },
};

const reader = `
import { readFileSync } from 'node:fs';
const [path, isRead] = process.argv.slice(1);
const { decode } = await import('./src/domain/importers/decode.ts');
const { prepare, MAX_FILE_BYTES } = await import('./src/domain/importers/prepare.ts');
const { readText } = await import('./src/domain/importers/index.ts');
readText('warm-up');
globalThis.gc();
const start = process.memoryUsage.rss();
// VmHWM is the highest so far, of which the beginning is no part of the reading
const high = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
const before = high();
let bytes = readFileSync(path);
const decoded = decode(bytes, MAX_FILE_BYTES);
bytes = null;
const prepared = prepare(decoded.text, MAX_FILE_BYTES);
let found = null;
if (isRead === 'read') {
  const { format, reading } = readText(prepared.text);
  found = { format, runs: reading.runs.length, observations: reading.runs.reduce((sum, run) => sum + run.observations.length, 0), problems: reading.problems.slice(0, 2).map(({ message }) => message.en) };
}
console.log(JSON.stringify({ peak: high() - start, text: prepared.text.length, found, before: before - start }));
`;

function measured(path, isRead) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', './test/support/typescript.mjs', '--input-type=module', '-e', reader, path, isRead],
    { encoding: 'utf8', cwd: fileURLToPath(new URL('..', import.meta.url)), maxBuffer: megabyte },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const [given = '50', only = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tunebook-memory-'));
const inMegabytes = (bytes) => (bytes / megabyte).toFixed(0).padStart(6);
try {
  console.log('format                    file MB  text MB  peak MB   ratio  found');
  const ratios = [];
  for (const [format, make] of Object.entries(kinds)) {
    if (!format.includes(only)) continue;
    const path = join(folder, format);
    writeFileSync(path, make(Number(given) * megabyte));
    const floor = measured(path, 'hold');
    const read = measured(path, 'read');
    ratios.push({ format, ratio: read.peak / floor.peak });
    const ratio = (read.peak / floor.peak).toFixed(2).padStart(6);
    const said = read.found.format === format ? `${read.found.observations} observations` : JSON.stringify(read.found);
    console.log(
      `${format.padEnd(24)} ${inMegabytes(Number(given) * megabyte)}   ${inMegabytes(floor.peak)}   ${inMegabytes(read.peak)}  ${ratio}  ${said}`,
    );
    rmSync(path);
  }
  const [most] = ratios.toSorted((a, b) => b.ratio - a.ratio);
  if (most) {
    const within = ratios.filter(({ ratio }) => ratio <= 2).length;
    console.log(
      `Reading ${given} MB takes at most ${most.ratio.toFixed(1)} times the memory of holding the text (${most.format}); ${within} of ${ratios.length} formats at most twice`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
