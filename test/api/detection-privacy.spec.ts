import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { detected, reported, server } from '../support/machine-reports.js';
import { output } from '../support/read-facts.js';
import { rowsOf, textOfRows } from '../support/rows.js';

const folder = join(import.meta.dirname, '../fixtures/facts');

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Invented: nothing of it may come out of a text again. */
const secret = {
  user: 'mallory',
  host: 'kestrel-vault-17',
  ip: '10.77.31.9',
  publicIp: '203.0.113.77',
  ipv6: 'fe80::9e63:c0ff:fe77:aabb',
  mac: '9c:63:c0:77:aa:bb',
  guid: '9c63c0ff0077aabb',
  serial: '1650322777041',
  uuid: '5e11c0de-77aa-4bbb-8ccc-d1ce0facade5',
  bus: 'c7:1f.6',
  path: '/home/mallory/quarry-project',
  token: 'hf_QuarryQuarryQuarryQuarry77',
  mail: 'mallory@quarry.example.com',
} as const;

/** Every part of them that would give them away, in lower case. */
const traces = [
  'mallory', 'kestrel', 'vault-17', '10.77.31', '203.0.113', '9e63:c0ff', '9c:63:c0', '9c63:c0ff', '9c63c0ff', '1650322777',
  '5e11c0de', 'd1ce0facade5', 'c7:1f', 'quarry',
]; // prettier-ignore

/** A stored output as somebody copies it from a terminal, with invented names wherever the tool prints one. */
function withSecrets(text: string): string {
  const { user, host, ip, publicIp, ipv6, mac, guid, serial, uuid, bus, path, token, mail } = secret;
  const grouped = guid.replace(/(.{4})(?=.)/g, '$1:');
  const named = text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, uuid)
    .replace(/(serial[^\n:>|,]{0,60}[:>]\s{0,8}"?)[\w-]{6,}/gi, `$1${serial}`)
    .replace(/\b([0-9a-f]{4}|[0-9a-f]{8}):[0-9a-f]{2}:[0-9a-f]{2}\.\d\b/gi, `$1:${bus}`)
    .replace(/0x[0-9a-f]{16}/gi, `0x${guid}`)
    .replace(/\b[0-9a-f]{4}:[0-9a-f]{4}:[0-9a-f]{4}:[0-9a-f]{4}\b/gi, grouped)
    .replace(/\b\w+@node\b/g, `${user}@${host}`)
    .replace(/^Linux \S+/gm, `Linux ${host}`)
    .replace(/(Name\s+: )python3/g, `$1${path}/bin/python3`)
    .replace('192.0.2.17', ip)
    .replace('do-not-take-this', token)
    .replace('torchinductor_somebody', `torchinductor_${user}`)
    .replace('/src/megatron', path)
    .replace('https://example.org/tool.git', `https://${user}:${token}@git.quarry.example.com/tool.git`)
    .replace('NVIDIA_VISIBLE_DEVICES=all', [
      `NVIDIA_VISIBLE_DEVICES=GPU-${uuid}`,
      `CUDA_VISIBLE_DEVICES=GPU-${uuid}`,
      `NCCL_COMM_ID=${ip}:29500`,
      `NCCL_HOSTID=${host}`,
      `NCCL_DEBUG_FILE=${path}/nccl.log`,
      `NCCL_SOCKET_IFNAME==${ip}`,
      `TORCH_HOME=${path}/.cache`,
      `TORCH_TRACE=${path}`,
      `VLLM_API_KEY=${token}`,
      `VLLM_HOST_IP=${publicIp}`,
      `VLLM_PLUGINS=${mail}`,
      `VLLM_USAGE_SOURCE=[${ipv6}]`,
      `PYTORCH_KERNEL_CACHE_PATH=${path}`,
      `USER=${user}`,
      `HOSTNAME=${host}`,
    ].join('\n')); // prettier-ignore
  return [
    `Last login: Mon Nov 30 10:00:00 2026 from ${publicIp}`,
    `[${user}@${host} quarry-project]$ export HF_TOKEN=${token}`,
    `${user}@${host}:${path}$ run as ${mail}`,
    named,
    `inet ${ip}/24 brd ${publicIp} inet6 ${ipv6}/64 link/ether ${mac}`,
    `    Serial Number                                      : ${serial}`,
    `        GPU Fabric GUID                                : 0x${guid}`,
    `|    0   N/A  N/A     77123      C   ${path}/bin/python3                 2566MiB |`,
    `${user}@${host}:${path}$`,
  ].join('\n');
}

const tracesIn = (text: string) => traces.filter((trace) => text.toLowerCase().includes(trace));

const stored = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath.slice(folder.length + 1)}/${name}`)
  .sort();
/** Output of nvidia-smi that describes no machine. */
const ofOtherThings = [
  'nvidia-smi-csv/processes.csv',
  'nvidia-smi-csv/retired-pages.csv',
  'nvidia-smi-table/nvlink-status.txt',
  'nvidia-smi-topo/peer-to-peer.txt',
];

describe('what tells of a person or of one machine', () => {
  it.each(stored)('comes out of %s nowhere', async (name) => {
    const text = withSecrets(output(name));
    expect(tracesIn(text).length).toBeGreaterThanOrEqual(10);
    const answer = await detected(app, text);
    expect(tracesIn(JSON.stringify(answer))).toEqual([]);
    expect(answer.outputs.length > 0).toBe(!ofOtherThings.includes(name));
  });

  it('is counted by its kind, each thing once', async () => {
    const text = withSecrets(output('nvidia-smi-q/two-superchips.txt'));
    const { removed } = await detected(app, `${text}\n${text.replaceAll('mallory@', 'trent@')}`);
    expect(removed).toEqual([
      { kind: 'SERIAL_NUMBER', count: 1 },
      { kind: 'UUID', count: 1 },
      { kind: 'ADDRESS', count: 3 },
      { kind: 'HOST_NAME', count: 1 },
      { kind: 'USER_NAME', count: 2 },
    ]);
  });

  it('is in no table after an environment was made of what was detected', async () => {
    const { project, maintainer } = await given.project(app.db);
    const text = withSecrets([server, ...stored.filter((name) => name.startsWith('collect-env/')).map(output)].join('\n')); // prettier-ignore
    const { hardware, facts } = await detected(app, text);
    const input = { projectId: project.id, name: 'detected', hardware: hardware?.slug ?? null, facts };
    const { data, errors } = await app
      .as(maintainer)
      .send(
        'mutation($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id facts unknownKeys hardware { slug } } }',
        { input },
      );
    expect(errors).toEqual([]);
    expect(data.createEnvironment).toMatchObject({ facts, unknownKeys: [], hardware: hardware && { slug: hardware.slug } }); // prettier-ignore
    const rows = await textOfRows(app.db, Object.keys(await rowsOf(app.db)));
    expect(rows).toContain(project.slug);
    expect(tracesIn(rows)).toEqual([]);
  });

  it('makes an environment about which the rules say the same as of the text', async () => {
    const { project, maintainer, viewer } = await given.project(app.db);
    const { hardware, facts } = await detected(app, server);
    const input = { projectId: project.id, name: 'detected', hardware: hardware.slug, facts };
    const { data, errors } = await app
      .as(maintainer)
      .send('mutation($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }', { input });
    expect(errors).toEqual([]);
    expect(await reported(app, { environmentId: data.createEnvironment.id }, viewer)).toEqual(
      await reported(app, { hardware: hardware.slug, facts }),
    );
  });
});
