import { incomplete, type Importer, type ImportProblem } from '../importer.js';
import { loadUnknown, profileResult } from './profile-result.js';
import { profileTables } from './profile-csv.js';
import { averageOf } from './profile-statistics.js';
import { readingOf, roundingProblem } from './requests.js';
import { WorkloadFacts } from './workload.js';

/** What GenAI-Perf writes beside the JSON: two or four tables in one file, with two decimals. */
export const genaiPerfCsv: Importer = {
  tool: 'genai-perf-csv',
  what: 'genai-perf profile (profile_export_genai_perf.csv)',
  readsCommas: true,

  recognizes: (text) =>
    /^\s{0,100}Metric,avg,min,max,p99,p95,p90,p75,p50,p25(?:,p10,p5,p1)?\s{0,5}(?:\n|$)/.test(text) &&
    /^"?(?:Request|Image) (?:Latency|Throughput)\b/m.test(text),

  read(text) {
    const { metrics, telemetry, problem, problems } = profileTables(text);
    if (problem) return { runs: [], problems: [problem] };
    if (metrics.length === 0) return { runs: [], problems };
    const rate = metrics.find(({ key }) => key === 'request_throughput');
    return readingOf([
      profileResult({
        tool: 'genai-perf',
        format: 'genai-perf-csv',
        line: 1,
        metrics,
        workload: new WorkloadFacts(),
        more: telemetry,
        isPartial: problems.length > 0 || !rate,
        problems: [
          ...problems,
          ...(rate ? [] : [withoutRates(text.trimEnd().split('\n').length)]),
          ...roundingProblem(averageOf(metrics, 'request_throughput'), rate?.line ?? 1),
          loadUnknown(1),
        ],
        rounding: 0.005,
      }),
    ]);
  },
};

/** The table of rates stands behind that of the distributions, in every version. */
function withoutRates(line: number): ImportProblem {
  return incomplete(
    line,
    'The table of rates is missing (Request Throughput): the file is cut',
    '缺少吞吐量表（Request Throughput），文件不完整',
  );
}
