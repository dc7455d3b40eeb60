import { describe, expect, it } from '@jest/globals';
import type { Facts } from '../measurement/environment-diff.js';
import { knownFacts } from './facts.js';
import { machineSummary } from './summary.js';

const h200 = {
  name: 'H200 SXM',
  capabilities: ['cuda', 'nvlink', 'mig'],
  facts: { vendor: 'nvidia', architecture: 'hopper', 'gpu.form': 'sxm', 'capability.nvswitch': 'unknown' },
};
const mi300x = { name: 'MI300X', capabilities: ['rocm', 'infinity-fabric'], facts: { vendor: 'amd' } };
const generic = { ...h200, name: 'NVIDIA Hopper', isGeneric: true };
const ascend = { name: 'Ascend 910B3', capabilities: ['cann', 'hccs'], facts: { vendor: 'huawei' } };

describe('machineSummary', () => {
  it.each<[typeof h200 | typeof mi300x | typeof ascend | null, Facts, string, string]>([
    [h200, {}, 'H200 SXM, NVLink', 'H200 SXM，NVLink'],
    [h200, { 'gpu.per_node': 8 }, 'H200 SXM, 8 GPUs, NVSwitch', 'H200 SXM，8 块 GPU，NVSwitch'],
    [h200, { 'gpu.per_node': 4 }, 'H200 SXM, 4 GPUs, NVLink', 'H200 SXM，4 块 GPU，NVLink'],
    [h200, { 'gpu.count': 1 }, 'H200 SXM, 1 GPU', 'H200 SXM，1 块 GPU'],
    [h200, { 'gpu.per_node': 8, 'nodes.count': 4 }, 'H200 SXM, 8 GPUs, NVSwitch, 4 nodes', 'H200 SXM，8 块 GPU，NVSwitch，4 个节点'],
    [h200, { 'gpu.per_node': 8, 'nodes.count': 1 }, 'H200 SXM, 8 GPUs, NVSwitch', 'H200 SXM，8 块 GPU，NVSwitch'],
    [h200, { 'gpu.per_node': 8, 'gpu.mig': 'enabled' }, 'H200 SXM, 8 GPUs, MIG on', 'H200 SXM，8 块 GPU，已启用 MIG'],
    [h200, { 'gpu.mig': '1g.18gb' }, 'H200 SXM, MIG 1g.18gb', 'H200 SXM，MIG 1g.18gb'],
    [h200, { 'gpu.mig': 'none', 'gpu.per_node': 2 }, 'H200 SXM, 2 GPUs, NVLink', 'H200 SXM，2 块 GPU，NVLink'],
    [mi300x, { 'gpu.per_node': 8 }, 'MI300X, 8 GPUs, Infinity Fabric', 'MI300X，8 块 GPU，Infinity Fabric'],
    [ascend, {}, 'Ascend 910B3, HCCS', 'Ascend 910B3，HCCS'],
    [generic, { 'gpu.sku': 'NVIDIA H20' }, 'NVIDIA H20, NVLink', 'NVIDIA H20，NVLink'],
    [null, { 'gpu.name': 'MTT S4000', 'gpu.per_node': 2 }, 'MTT S4000, 2 GPUs', 'MTT S4000，2 块 GPU'],
    [null, { 'capability.hccs': true }, 'unknown hardware, HCCS', '未知硬件，HCCS'],
    [null, {}, 'unknown hardware', '未知硬件'],
  ])('of %j with %j is %s', (profile, environment, en, zh) => {
    expect(machineSummary(knownFacts(profile, environment))).toEqual({ en, zh });
  }); // prettier-ignore
});
