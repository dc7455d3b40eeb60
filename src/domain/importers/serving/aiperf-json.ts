import { incomplete, error, type Importer, type ImportProblem } from '../importer.js';
import { isObject, objectsOf, readJson, startsLikeJson, type Json, type JsonObject } from '../json.js';
import { startedAtOf } from '../started-at.js';
import { setConfig, withoutHosts } from './profile-config.js';
import { aiperfKeys, hasStatistics, isoOf, metricsIn, notRead, withoutStatistics } from './profile-json.js';
import { profileResult } from './profile-result.js';
import { telemetryData } from './profile-telemetry.js';
import { readingOf, type Result } from './requests.js';
import { finite, textOf, WorkloadFacts } from './workload.js';

/** What AIPerf writes after each profile: one object with a distribution for each metric. */
export const aiperfJson: Importer = {
  tool: 'aiperf-json',
  what: 'aiperf profile (profile_export_aiperf.json)',

  recognizes: (text) =>
    startsLikeJson(text) && (hasStatistics(text) || hasCounts(text)) && aiperfKeys.test(text) && !isOfSlices(text),

  nearMiss(text) {
    if (!startsLikeJson(text) || !isOfSlices(text)) return null;
    return error(
      null,
      'These are the time slices of one run of AIPerf: send profile_export_aiperf.json beside them',
      '这是 AIPerf 单次运行的时间片数据，请改为上传同目录下的 profile_export_aiperf.json',
    );
  },

  read(text) {
    const json = readJson(text, { skip: notRead });
    if (json.problem) return { runs: [], problems: [json.problem] };
    return readingOf(objectsOf(json).map(({ object, line }) => readResult(object, line)));
  },
};

/** All that is there where every request failed. */
function hasCounts(text: string): boolean {
  return /"error_request_count"\s{0,10}:\s{0,10}\{/.test(text) && text.includes('"input_config"');
}

function isOfSlices(text: string): boolean {
  return /^\s{0,1000}\{\s{0,1000}"timeslices"/.test(text) && text.includes('"timeslice_index"');
}

function readResult(found: JsonObject, line: number): Result {
  const metrics = metricsIn(found, line);
  if (!metrics.some(({ key }) => /^(?:request_throughput|request_count|error_request_count)$/.test(key))) {
    return { run: null, refusal: withoutStatistics(line, 'aiperf'), problems: [] };
  }
  const config = isObject(found.input_config) ? found.input_config : {};
  const workload = new WorkloadFacts();
  setConfig(workload, config);
  const { observations, environment } = telemetryData(found.telemetry_data);
  const given = isoOf(found.start_time);
  const start =
    given === null ? { startedAt: null, problems: [] } : startedAtOf(given, textOf(found.start_time) ?? '', line);
  const isCancelled = found.was_cancelled === true;
  return profileResult({
    tool: 'aiperf',
    format: 'aiperf-json',
    line,
    metrics,
    workload,
    failed: errorsIn(found.error_summary),
    isPartial: isCancelled,
    toolVersion: textOf(found.aiperf_version),
    startedAt: start.startedAt,
    command: typeof config.cli_command === 'string' ? withoutHosts(config.cli_command) : null,
    environment,
    more: observations,
    problems: [...(isCancelled ? [cancelled(line)] : []), ...start.problems],
    rounding: 0,
  });
}

/** The sum of `[{ "error_details": {}, "count": 3 }]`; null where there is no list. */
function errorsIn(summary: Json | undefined): number | null {
  if (!Array.isArray(summary)) return null;
  const counts = summary.map((each: Json) => (isObject(each) ? (finite(each.count) ?? 1) : 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

function cancelled(line: number): ImportProblem {
  return incomplete(line, 'The run was cancelled: it is not complete', '本次运行被取消，结果不完整');
}
