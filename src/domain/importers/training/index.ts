import type { Importer } from '../importer.js';
import { deepspeedFlopsProfiler } from './deepspeed-flops-profiler.js';
import { dlio } from './dlio.js';
import { dllogger } from './dllogger.js';
import { hfTrainer } from './hf-trainer.js';
import { megatronLog } from './megatron-log.js';
import { mlperfMllog } from './mlperf-mllog.js';
import { nemoLog } from './nemo-log.js';
import { speedrunLog } from './speedrun-log.js';

/** Logs and results of training. */
export const trainingImporters: readonly Importer[] = [
  hfTrainer,
  megatronLog,
  deepspeedFlopsProfiler,
  nemoLog,
  mlperfMllog,
  dllogger,
  dlio,
  speedrunLog,
];
