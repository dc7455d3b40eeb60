import { error, type Importer } from '../importer.js';
import { isObject, objectsOf, readJson, startsLikeJson, type JsonObject } from '../json.js';
import { aiperfKeys, hasStatistics, metricsIn, notRead, withoutStatistics } from './profile-json.js';
import { setConfig } from './profile-config.js';
import { profileResult } from './profile-result.js';
import { telemetryIn } from './profile-telemetry.js';
import { readingOf, type Result } from './requests.js';
import { WorkloadFacts } from './workload.js';

/** What GenAI-Perf writes beside each profile: one object with a distribution for each metric. */
export const genaiPerfJson: Importer = {
  tool: 'genai-perf-json',
  what: 'genai-perf profile (profile_export_genai_perf.json)',

  recognizes: (text) =>
    startsLikeJson(text) &&
    hasStatistics(text) &&
    text.includes('"request_latency"') &&
    text.includes('"input_config"') &&
    !aiperfKeys.test(text),

  nearMiss(text) {
    const isRaw =
      startsLikeJson(text) &&
      text.includes('"experiments"') &&
      text.includes('"response_timestamps"') &&
      text.includes('"service_kind"');
    if (!isRaw) return null;
    return error(
      null,
      'This is the raw export of perf_analyzer (profile_export.json): send profile_export_genai_perf.json beside it',
      '这是 perf_analyzer 的原始导出文件（profile_export.json），请改为上传同目录下的 profile_export_genai_perf.json',
    );
  },

  read(text) {
    const json = readJson(text, { skip: notRead });
    if (json.problem) return { runs: [], problems: [json.problem] };
    return readingOf(objectsOf(json).map(({ object, line }) => readResult(object, line)));
  },
};

function readResult(found: JsonObject, line: number): Result {
  const metrics = metricsIn(found, line);
  if (!metrics.some(({ key }) => key === 'request_throughput')) {
    return { run: null, refusal: withoutStatistics(line, 'genai-perf'), problems: [] };
  }
  const workload = new WorkloadFacts();
  if (isObject(found.input_config)) setConfig(workload, found.input_config);
  const telemetry = isObject(found.telemetry_stats) ? telemetryIn(found.telemetry_stats) : [];
  return profileResult({
    tool: 'genai-perf',
    format: 'genai-perf-json',
    line,
    metrics,
    workload,
    more: telemetry,
    rounding: 0,
  });
}
