import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { detect, type Detection } from '../src/domain/applicability/detect.js';
import { knownFacts } from '../src/domain/applicability/facts.js';
import { factReaders } from '../src/domain/applicability/facts/index.js';
import { machineSummary } from '../src/domain/applicability/summary.js';
import { parseContent } from '../src/domain/content/parse-content.js';
import { profilesOf } from '../src/domain/content/registry-entries.js';
import { readContentFolder, shippedContent } from '../src/features/content/content-files.js';
import { seeded } from './support/mutated-text.js';
import { pathTo, textAt } from './support/tool-output.js';

// Outputs of tools as people stored them, and those of our own measurements. They are not part of the repository:
// without them the spec is skipped.

const machine = '../../shared/evidence/h200/machine';
const corpus = '../../shared/corpus';
const isThere = existsSync(pathTo(machine)) && existsSync(pathTo(`${corpus}/INDEX.tsv`));
const describeShared = isThere ? describe : describe.skip;
const because = isThere ? '' : ' (skipped: ../shared is not there)';

type Profile = ReturnType<typeof profilesOf>[number];

const parsed = parseContent(await readContentFolder(shippedContent));
const profiles: readonly Profile[] = ('catalog' in parsed ? parsed.catalog.hardware : []).flatMap(profilesOf);

const read = (content: string): Detection<Profile> => detect(content, factReaders, profiles);

/** What is said of a text, as far as its order does not matter. */
function told(content: string) {
  const { facts, profile, alsoPossible, contradictions, problems, places, removed } = read(content);
  return {
    summary: machineSummary(knownFacts(profile, facts)),
    profile: profile?.slug ?? null,
    alsoPossible: alsoPossible.map(({ slug }) => slug),
    facts,
    contradicted: contradictions.map(({ key }) => key).sort(),
    tools: places.map(({ tool }) => tool).sort(),
    problems: problems.map(({ message }) => message).sort((one, other) => (one.en < other.en ? -1 : 1)),
    removed,
  };
}

interface Expected {
  readonly path: string;
  readonly summary: string;
  readonly zh: string;
  readonly profile: string | null;
  readonly facts: object;
  readonly tools: readonly string[];
  readonly problems?: readonly { readonly en: string; readonly zh: string }[];
  readonly removed?: readonly object[];
}

const cpu = {
  'cpu.architecture': 'x86_64',
  'cpu.cores': 16,
  'cpu.name': 'Intel(R) Xeon(R) Processor',
  'cpu.sockets': 1,
  'cpu.threads_per_core': 1,
  'host.virtual': true,
  'numa.nodes': 1,
};
const software = {
  cuda: '13.0',
  'cuda.toolkit': '13.0.88',
  cudnn: '9.19.0.56',
  driver: '580.159.04',
  nccl: '2.28.9',
  os: 'Ubuntu 24.04.3 LTS',
  python: '3.12.3',
  torch: '2.11.0+cu130',
  triton: '3.6.0',
};
const slot = { 'pcie.generation': 5, 'pcie.width': 16 };
const states = { 'gpu.ecc': 'enabled', 'gpu.mig': 'none', 'gpu.per_node': 1, 'gpu.persistence': 'enabled' };
const h200 = { summary: 'H200 SXM, 1 GPU', zh: 'H200 SXM，1 块 GPU', profile: 'h200-sxm' };
const nobody = { summary: 'unknown hardware', zh: '未知硬件', profile: null };
const links = { 'capability.nvlink': true, 'gpu.link': 'nvlink', vendor: 'nvidia' };

const outputs: readonly Expected[] = [
  { path: `${machine}/lscpu.txt`, ...nobody, facts: cpu, tools: ['lscpu'] },
  { path: `${machine}/nvcc_version.txt`, ...nobody, facts: { 'cuda.toolkit': '13.0.88' }, tools: ['nvcc --version'] },
  {
    path: `${machine}/nvidia_smi.txt`,
    ...h200,
    facts: { driver: '580.159.04', 'driver.cuda': '13.0', ...states },
    tools: ['nvidia-smi'],
  },
  {
    path: `${machine}/nvidia_smi_q.txt`,
    ...h200,
    facts: { driver: '580.159.04', 'driver.cuda': '13.0', ...states, 'host.virtual': true, ...slot },
    tools: ['nvidia-smi -q'],
  },
  {
    path: `${machine}/nvidia_smi_query.csv`,
    ...h200,
    facts: { driver: '580.159.04', ...states, ...slot },
    tools: ['nvidia-smi --query-gpu'],
  },
  {
    path: `${machine}/nvidia_smi_topo.txt`,
    ...nobody,
    summary: 'unknown hardware, 1 GPU',
    zh: '未知硬件，1 块 GPU',
    facts: { 'gpu.per_node': 1, vendor: 'nvidia' },
    tools: ['nvidia-smi topo -m'],
  },
  {
    path: `${machine}/torch_collect_env.txt`,
    ...h200,
    facts: { ...cpu, ...software, 'gpu.per_node': 1 },
    tools: ['lscpu', 'python -m torch.utils.collect_env'],
  },
  {
    path: `${corpus}/nvidia-smi-q/l40s-load-q.txt`,
    summary: 'L40S, 1 GPU',
    zh: 'L40S，1 块 GPU',
    profile: 'l40s',
    facts: {
      driver: '595.80',
      'driver.cuda': '13.2',
      ...states,
      'gpu.persistence': 'disabled',
      'host.virtual': true,
      'pcie.generation': 4,
      'pcie.width': 16,
    },
    tools: ['nvidia-smi -q'],
  },
  {
    path: `${corpus}/nvidia-smi-q/old-driver-gpu0.txt`,
    summary: 'GeForce GTX 1080, 4 GPUs',
    zh: 'GeForce GTX 1080，4 块 GPU',
    profile: 'pascal-sm61',
    facts: {
      driver: '384.130',
      'gpu.memory': 7.9,
      'gpu.name': 'GeForce GTX 1080',
      'gpu.per_node': 4,
      'gpu.persistence': 'disabled',
      'gpu.power_limit': 180,
      'gpu.sku': 'GeForce GTX 1080',
      'host.virtual': false,
      'pcie.generation': 3,
      'pcie.width': 16,
    },
    tools: ['nvidia-smi -q'],
    problems: [
      {
        en: 'The tool states 4 attached GPUs and prints 1 here',
        zh: '工具报告共有 4 块 GPU，但此处只列出了 1 块',
      },
    ],
    removed: [{ kind: 'UUID', count: 1 }],
  },
  {
    path: `${corpus}/nvidia-smi-query-csv/h100-mig-load.csv`,
    summary: 'H100 SXM, 1 GPU, MIG on',
    zh: 'H100 SXM，1 块 GPU，已启用 MIG',
    profile: 'h100-sxm',
    facts: { driver: '590.48.01', ...states, 'gpu.mig': 'enabled', ...slot },
    tools: ['nvidia-smi --query-gpu'],
  },
  {
    path: `${corpus}/nvidia-smi-query-csv/h100x8-boxstate.csv`,
    ...nobody,
    summary: 'unknown hardware, 8 GPUs',
    zh: '未知硬件，8 块 GPU',
    facts: { 'gpu.per_node': 8, vendor: 'nvidia' },
    tools: ['nvidia-smi --query-gpu'],
  },
  {
    path: `${corpus}/nvidia-smi-query-csv/h200-idle-all-fields.csv`,
    ...h200,
    facts: { driver: '590.48.01', ...states, ...slot },
    tools: ['nvidia-smi --query-gpu'],
  },
  {
    path: `${corpus}/nvidia-smi-query-csv/win-rtx2080s-load-all-fields.csv`,
    summary: 'NVIDIA GeForce RTX 2080 SUPER, 1 GPU',
    zh: 'NVIDIA GeForce RTX 2080 SUPER，1 块 GPU',
    profile: 'turing-sm75',
    facts: {
      driver: '591.86',
      'gpu.memory': 8,
      'gpu.mig': 'none',
      'gpu.name': 'NVIDIA GeForce RTX 2080 SUPER',
      'gpu.per_node': 1,
      'gpu.power_limit': 250,
      'gpu.sku': 'NVIDIA GeForce RTX 2080 SUPER',
      'pcie.generation': 3,
      'pcie.width': 16,
    },
    tools: ['nvidia-smi --query-gpu'],
  },
  {
    path: `${corpus}/nvidia-smi-table/h200-load-table.txt`,
    ...h200,
    facts: { driver: '590.48.01', 'driver.cuda': '13.1', ...states },
    tools: ['nvidia-smi'],
  },
  {
    path: `${corpus}/nvidia-smi-topo/stas00-perf-topo.txt`,
    ...nobody,
    summary: 'unknown hardware, 8 GPUs, NVSwitch',
    zh: '未知硬件，8 块 GPU，NVSwitch',
    facts: { ...links, 'capability.nvswitch': true, 'gpu.links': 18, 'gpu.per_node': 8 },
    tools: ['nvidia-smi topo -m'],
  },
  {
    path: `${corpus}/nvidia-smi-topo/stas00-topo-2gpu-nv2.txt`,
    ...nobody,
    summary: 'unknown hardware, 2 GPUs, NVLink',
    zh: '未知硬件，2 块 GPU，NVLink',
    facts: { ...links, 'gpu.links': 2, 'gpu.per_node': 2 },
    tools: ['nvidia-smi topo -m'],
  },
  {
    path: `${corpus}/other-speedrun-log/modded-nanogpt-record-muon-log.txt`,
    summary: 'H100 SXM, 8 GPUs, NVSwitch',
    zh: 'H100 SXM，8 块 GPU，NVSwitch',
    profile: 'h100-sxm',
    facts: { driver: '535.129.03', 'driver.cuda': '12.2', ...states, 'gpu.per_node': 8 },
    tools: ['nvidia-smi'],
  },
];

/** Other columns of the index of stored outputs: file, tool and version, as whoever stored it stated them. */
function indexed(): readonly { readonly path: string; readonly format: string; readonly version: string }[] {
  if (!isThere) return [];
  const [, ...rows] = textAt(`${corpus}/INDEX.tsv`).trim().split('\n');
  return rows.map((row) => {
    const [path = '', format = '', , version = ''] = row.split('\t');
    return { path, format, version };
  });
}

const describing = ['nvidia-smi-q', 'nvidia-smi-query-csv', 'nvidia-smi-table', 'nvidia-smi-topo'];
const machineFiles = isThere ? readdirSync(pathTo(machine)).map((name) => `${machine}/${name}`) : [];
const storedFiles = indexed()
  .filter(({ format }) => describing.includes(format))
  .map(({ path }) => `${corpus}/${path}`);

/** The same texts in other orders: backwards, and thrown about. */
function orders(texts: readonly string[]): readonly (readonly string[])[] {
  const random = seeded(11);
  const thrown = Array.from({ length: 8 }, () =>
    texts
      .map((text) => ({ text, place: random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ text }) => text),
  );
  return [[...texts].reverse(), ...thrown];
}

describeShared(`stored output that describes a machine${because}`, () => {
  it('has a known answer for every file', () => {
    const known = outputs.map(({ path }) => path);
    expect([...machineFiles, ...storedFiles].filter((path) => !known.includes(path))).toEqual([
      `${machine}/ncu_version.txt`,
      `${machine}/shm.txt`,
    ]);
  });

  it.each(outputs)('$path says $summary', ({ path, summary, zh, profile, facts, tools, problems = [], removed = [] }) => {
    expect(told(textAt(path))).toEqual({
      summary: { en: summary, zh },
      profile,
      alsoPossible: [],
      facts,
      contradicted: [],
      tools,
      problems,
      removed,
    });
  }); // prettier-ignore

  it('has the driver of whoever stored it', () => {
    const stated = indexed().filter(({ format, version }) => describing.includes(format) && /^\d+\.\d+/.test(version));
    expect(stated.map(({ path }) => [path, read(textAt(`${corpus}/${path}`)).facts['driver']])).toEqual(
      stated.map(({ path, version }) => [path, version]),
    );
    expect(stated).toHaveLength(5);
  });

  it('gives what the profile says already a place, and leaves it out of the facts', () => {
    const { found } = read(textAt(`${machine}/nvidia_smi_q.txt`));
    expect(found.map(({ key, value, line }) => [key, value, line])).toEqual([
      ['vendor', 'nvidia', 2],
      ['gpu.per_node', 1, 8],
      ['driver', '580.159.04', 5],
      ['driver.cuda', '13.0', 6],
      ['gpu.name', 'NVIDIA H200', 10],
      ['architecture', 'hopper', 12],
      ['gpu.memory', 140.4, 112],
      ['gpu.mig', 'none', 19],
      ['gpu.ecc', 'enabled', 144],
      ['gpu.persistence', 'enabled', 16],
      ['gpu.power_limit', 700, 198],
      ['pcie.generation', 5, 75],
      ['pcie.width', 16, 81],
      ['host.virtual', true, 57],
    ]);
  });

  it.each([
    `${machine}/ncu_version.txt`,
    `${machine}/shm.txt`,
    ...indexed()
      .filter(({ format }) => format === 'nvidia-smi-dmon')
      .map(({ path }) => `${corpus}/${path}`),
  ])('%s is output of nothing that describes a machine', (path) => {
    const { facts, profile, found, places, problems, removed } = read(textAt(path));
    expect({ facts, profile, found, places, removed }).toEqual({ facts: {}, profile: null, found: [], places: [], removed: [] }); // prettier-ignore
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      line: null,
      message: {
        en: expect.stringMatching(/^No fact of a machine was found; looked for the output of nvidia-smi -q, /),
        zh: expect.stringMatching(/^没有找到机器信息；可识别的输出有：nvidia-smi -q、/),
      },
    });
  });

  it('is told from output that measures something: of all other files one holds a table of nvidia-smi', () => {
    const others = indexed().filter(({ format }) => !describing.includes(format));
    const found = others.filter(({ path }) => read(textAt(`${corpus}/${path}`)).found.length > 0);
    expect(found.map(({ path }) => path)).toEqual(['other-speedrun-log/modded-nanogpt-record-muon-log.txt']);
  });
});

describeShared(`stored outputs in one text${because}`, () => {
  it('say the same in every order', () => {
    const texts = machineFiles.map(textAt);
    const whole = told(texts.join('\n'));
    expect(whole).toEqual({
      summary: { en: 'H200 SXM, 1 GPU', zh: 'H200 SXM，1 块 GPU' },
      profile: 'h200-sxm',
      alsoPossible: [],
      facts: { ...cpu, ...software, ...states, ...slot, 'driver.cuda': '13.0' },
      contradicted: [],
      tools: [
        'lscpu',
        'lscpu',
        'nvcc --version',
        'nvidia-smi',
        'nvidia-smi --query-gpu',
        'nvidia-smi -q',
        'nvidia-smi topo -m',
        'python -m torch.utils.collect_env',
      ],
      problems: [],
      removed: [],
    });
    for (const order of orders(texts)) expect(told(order.join('\n'))).toEqual(whole);
  });

  it('of several machines contradict each other in every order, and are of no hardware', () => {
    const texts = storedFiles.map(textAt);
    const whole = told(texts.join('\n'));
    expect(whole).toMatchObject({
      profile: null,
      facts: { 'capability.nvlink': true, 'gpu.ecc': 'enabled', 'gpu.link': 'nvlink', 'pcie.width': 16 },
      contradicted: [
        'driver',
        'driver.cuda',
        'gpu.computeCapability',
        'gpu.links',
        'gpu.memory',
        'gpu.mig',
        'gpu.name',
        'gpu.per_node',
        'gpu.persistence',
        'gpu.power_limit',
        'host.virtual',
        'pcie.generation',
      ],
    });
    for (const order of orders(texts)) expect(told(order.join('\n'))).toEqual(whole);
  });
});
