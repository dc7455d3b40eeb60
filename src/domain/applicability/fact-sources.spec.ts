import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { capabilitiesFile, environmentKeysFile } from '../content/schema.js';
import type { Facts } from '../measurement/environment-diff.js';
import { commandFor } from './fact-sources.js';
import { factReaders } from './facts/index.js';

const content = (file: string): unknown => parse(readFileSync(join(process.cwd(), 'content', file), 'utf8'));
const keys = [
  'hardware',
  ...environmentKeysFile.parse(content('environment-keys.yaml')).map(({ key }) => key),
  ...capabilitiesFile.parse(content('capabilities.yaml')).map(({ key }) => `capability.${key}`),
];

describe('commandFor', () => {
  it.each<[string, Facts, string | null]>([
    ['hardware', {}, 'nvidia-smi -q'],
    ['gpu.mig', { vendor: 'nvidia' }, 'nvidia-smi -q'],
    ['driver.cuda', { vendor: 'NVIDIA' }, 'nvidia-smi -q'],
    ['gpu.partition', { vendor: 'AMD' }, 'amd-smi static'],
    ['driver', { vendor: 'huawei' }, 'npu-smi info'],
    ['pcie.width', { vendor: 'intel' }, 'nvidia-smi -q'],
    ['gpu.count', {}, 'nvidia-smi -q'],
    ['gpu.count', { 'gpu.per_node': 8 }, null],
    ['capability.nvswitch', {}, 'nvidia-smi topo -m'],
    ['capability.infinity-fabric', {}, 'amd-smi topology'],
    ['capability.hccs', {}, 'npu-smi info -t topo'],
    ['capability.liquid-cooling', {}, null],
    ['fabric.kind', {}, 'ibstat'],
    ['cpu.sockets', {}, 'lscpu'],
    ['host.virtual', {}, 'lscpu'],
    ['host.memory', {}, 'numactl --hardware'],
    ['cuda.toolkit', {}, 'nvcc --version'],
    ['rocm', {}, 'amd-smi version'],
    ['cann', {}, 'cat ascend_toolkit_install.info'],
    ['cuda', { vendor: 'amd' }, 'python -m torch.utils.collect_env'],
    ['torch', {}, 'python -m torch.utils.collect_env'],
    ['workload.phase', {}, null],
    ['nodes.count', {}, null],
    ['storage.kind', {}, null],
    ['hardwares', {}, null],
  ])('for %s, with %j known, is %s', (key, facts, command) => expect(commandFor(key, { facts })).toBe(command));

  it('names only commands whose output is read', () => {
    const read = new Set(factReaders.flatMap(({ tools }) => tools));
    const vendors = ['nvidia', 'amd', 'huawei', 'intel'];
    const commands = keys.flatMap((key) => vendors.flatMap((vendor) => commandFor(key, { facts: { vendor } }) ?? []));
    expect([...new Set(commands)].filter((command) => !read.has(command))).toEqual([]);
    expect(new Set(commands).size).toBe(13);
  });

  it('names no command for what only a person can tell: the workload, the storage, the number of nodes', () => {
    const told = keys.filter((key) => /^(workload|storage|nodes|env|image)\b/.test(key));
    expect(told.filter((key) => commandFor(key, { facts: {} }) !== null)).toEqual([]);
  });
});
