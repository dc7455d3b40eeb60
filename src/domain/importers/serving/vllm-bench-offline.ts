import { error, type Importer } from '../importer.js';
import { isOfflineConsole, readOfflineConsole } from './vllm-offline-console.js';
import { isOfflineJson, readOfflineJson } from './vllm-offline-json.js';
import { isJsonText } from './workload.js';

/** The benchmarks of vLLM that start no server: printed, or written with `--output-json`. */
export const vllmBenchOffline: Importer = {
  tool: 'vllm-bench-offline',
  what: 'vllm bench throughput, vllm bench latency (output, --output-json)',

  recognizes: (text) => (isJsonText(text) ? isOfflineJson(text) : isOfflineConsole(text)),

  nearMiss(text) {
    if (!isJsonText(text) || !/"name"\s{0,10}:\s{0,10}"vLLM benchmark"/.test(text)) return null;
    return error(
      null,
      'This is the copy for the PyTorch benchmark database (*.pytorch.json): send the file of --output-json or --save-result beside it',
      '这是 PyTorch 基准数据库用的副本（*.pytorch.json），请改为上传同目录下由 --output-json 或 --save-result 写出的文件',
    );
  },

  read: (text) => (isJsonText(text) ? readOfflineJson(text) : readOfflineConsole(text)),
};
