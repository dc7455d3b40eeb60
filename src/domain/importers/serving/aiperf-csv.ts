import { gpuFacts } from '../gpu.js';
import type { Importer } from '../importer.js';
import { loadUnknown, profileResult } from './profile-result.js';
import { profileTables } from './profile-csv.js';
import { averageOf } from './profile-statistics.js';
import { readingOf, roundingProblem } from './requests.js';
import { WorkloadFacts } from './workload.js';

/** What AIPerf writes beside the JSON: the tables of GenAI-Perf with other columns, which end with the deviation. */
export const aiperfCsv: Importer = {
  tool: 'aiperf-csv',
  what: 'aiperf profile (profile_export_aiperf.csv)',
  readsCommas: true,

  recognizes: (text) =>
    /^\s{0,100}Metric,avg,min,max,(?:sum,)?(?:p\d{1,2},){3,12}std(?:,|\s{0,5}(?:\n|$))/.test(text) &&
    /^"?Request (?:Latency|Throughput|Count)\b/m.test(text),

  read(text) {
    const { metrics, telemetry, gpuNames, problem, problems } = profileTables(text);
    if (problem) return { runs: [], problems: [problem] };
    if (metrics.length === 0) return { runs: [], problems };
    const rate = metrics.find(({ key }) => key === 'request_throughput');
    const [name, second] = gpuNames;
    return readingOf([
      profileResult({
        tool: 'aiperf',
        format: 'aiperf-csv',
        line: 1,
        metrics,
        workload: new WorkloadFacts(),
        environment: name !== undefined && second === undefined ? gpuFacts(name) : {},
        more: telemetry,
        isPartial: problems.length > 0,
        problems: [
          ...problems,
          ...roundingProblem(averageOf(metrics, 'request_throughput'), rate?.line ?? 1),
          loadUnknown(1),
        ],
        rounding: 0.005,
      }),
    ]);
  },
};
