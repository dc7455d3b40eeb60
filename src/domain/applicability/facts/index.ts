import { amdSmi } from './amd-smi.js';
import { cannInfo } from './cann-info.js';
import { collectEnv } from './collect-env.js';
import { sglangCheckEnv } from './collect-env-sglang.js';
import { hostSystem } from './host-system.js';
import { ibstat } from './ibstat.js';
import { lscpu } from './lscpu.js';
import { npuSmi } from './npu-smi.js';
import { numactl } from './numactl.js';
import { nvcc } from './nvcc.js';
import { nvidiaSmiCsv } from './nvidia-smi-csv.js';
import { nvidiaSmiQ } from './nvidia-smi-q.js';
import { nvidiaSmiTable } from './nvidia-smi-table.js';
import { nvidiaSmiTopo } from './nvidia-smi-topo.js';
import { nvidiaSmiXml } from './nvidia-smi-xml.js';
import { pipList } from './pip-list.js';
import type { FactReader } from './reader.js';
import { rocmSmi } from './rocm-smi.js';

/** Every reader of facts; the order is that in which their tools are named to people. */
export const factReaders: readonly FactReader[] = [
  nvidiaSmiQ,
  nvidiaSmiXml,
  nvidiaSmiTopo,
  nvidiaSmiCsv,
  nvidiaSmiTable,
  rocmSmi,
  amdSmi,
  npuSmi,
  cannInfo,
  lscpu,
  numactl,
  ibstat,
  nvcc,
  collectEnv,
  sglangCheckEnv,
  pipList,
  hostSystem,
];
