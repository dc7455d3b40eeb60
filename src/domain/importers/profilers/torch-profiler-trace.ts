import type { Importer, ImportProblem } from '../importer.js';
import { error, warning } from '../importer.js';
import { isObject, readJson, startsLikeJson } from '../json.js';
import { profileRun } from './profile-run.js';
import { environmentOf, shareOf, startedAtIn, workloadOf } from './trace-facts.js';
import { TraceEvents } from './trace-events.js';
import { traceObservations } from './trace-observations.js';

/** A Chrome trace of torch.profiler (Kineto). Its events are looked at one by one: traces are large. Times in microseconds. */
export const torchProfilerTrace: Importer = {
  tool: 'torch-profiler-trace',
  what: 'torch.profiler export_chrome_trace() (JSON)',

  recognizes: (text) =>
    startsLikeJson(text) &&
    /^\s{0,1000}\{/.test(text) &&
    text.includes('"traceEvents"') &&
    (text.includes('"schemaVersion"') || text.includes('"deviceProperties"') || ownCategory.test(text)),

  nearMiss: (text) =>
    /^\s{0,1000}\[\s{0,1000}\{/.test(text) && /"pid": ?"CUDA functions"/.test(text)
      ? error(
          null,
          'This is a trace of torch.autograd.profiler: export it with torch.profiler',
          '这是 torch.autograd.profiler 的跟踪文件，请改用 torch.profiler 导出',
        )
      : null,

  read(text) {
    const events = new TraceEvents();
    const json = readJson(text, { skip: notNeeded, each: { traceEvents: (event) => events.add(event) } });
    if (json.problem && !json.isTruncated) return { runs: [], problems: [json.problem] };
    if (events.count === 0) return { runs: [], problems: [json.problem ?? noEvents()] };
    const file = json.documents.map(({ value }) => value).find(isObject) ?? {};
    // a truncated file is no document: what stands before its events is read on its own
    const head = json.isTruncated ? headOf(text) : file;
    const problems: ImportProblem[] = [
      ...(json.problem ? [truncated(json.problem)] : []),
      ...(events.hasKernels ? [] : [noKernels()]),
    ];
    const observations = traceObservations(events, shareOf(head), problems);
    const run = profileRun('torch-profiler-trace', {
      status: json.isTruncated ? 'PARTIAL' : 'OK',
      startedAt: startedAtIn(head, events.firstStart),
      environment: environmentOf(head, events.devices),
      workload: workloadOf(head),
      observations,
    });
    return { runs: [run], problems };
  },
};

const ownCategory = /"cat": ?"(?:[kK]ernel|cpu_op|cuda_runtime|gpu_memcpy|user_annotation)"/;

/** Large parts of events that say nothing of times. */
const notNeeded = new Set([
  'Input Dims', 'Input type', 'Input Strides', 'Concrete Inputs', 'Call stack', 'Module Hierarchy', 'stackFrames', 'Kwargs',
]); // prettier-ignore

/** The facts that stand before the events of a truncated file. */
function headOf(text: string) {
  const at = text.indexOf('"traceEvents"');
  const end = text.lastIndexOf(',', at);
  const head = end > 0 && at - end < 1_000 && end < 1_000_000 ? `${text.slice(0, end)}}` : '{}';
  return readJson(head).documents.map(({ value }) => value).find(isObject) ?? {}; // prettier-ignore
}

function noEvents(): ImportProblem {
  return error(null, 'The trace holds no events', '跟踪文件中没有事件');
}

function noKernels(): ImportProblem {
  return warning(
    null,
    'The trace holds no kernels: the device was not profiled, its counters were, or another process launched them',
    '跟踪文件中没有核函数：可能未剖析设备、只采集了性能计数器，或由其他进程启动',
    { code: 'NO_DEVICE_TIMES' },
  );
}

/** Events that are lost are missing in every total. */
function truncated({ line, message }: ImportProblem): ImportProblem {
  return warning(
    line,
    `${message.en}. What stands before is read: every total is too small`,
    `${message.zh}。仅读取此前的内容，所有合计值都偏小`,
    { code: 'TRUNCATED' },
  );
}
