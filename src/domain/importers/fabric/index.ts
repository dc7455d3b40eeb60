import type { Importer } from '../importer.js';
import { iperf3Json } from './iperf3-json.js';
import { iperfText } from './iperf-text.js';
import { ncclTests } from './nccl-tests.js';
import { ncclTestsJson } from './nccl-tests-json.js';
import { nvbandwidthJson } from './nvbandwidth-json.js';
import { nvbandwidthText } from './nvbandwidth-text.js';
import { perftest } from './perftest.js';

/** Benchmarks of collectives, links and networks. */
export const fabricImporters: readonly Importer[] = [
  ncclTests,
  ncclTestsJson,
  nvbandwidthText,
  nvbandwidthJson,
  perftest,
  iperf3Json,
  iperfText,
];
