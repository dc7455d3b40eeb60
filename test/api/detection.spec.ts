import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { counted, DETECT, detected, nodesOf, server, tally, type Missing } from '../support/machine-reports.js';
import { output } from '../support/read-facts.js';
import { added, rowsOf } from '../support/rows.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const unknownText = {
  en: expect.stringMatching(/^No fact of a machine was found; looked for the output of nvidia-smi -q, .*, uname -a$/),
  zh: expect.stringMatching(/^没有找到机器信息；可识别的输出有：nvidia-smi -q、.*、uname -a$/),
};

describe('detectEnvironment', () => {
  it('reads several tools in one text, each in its place', async () => {
    const { found, missing, runFacts, ...whole } = await detected(app, server);
    expect(whole).toEqual({
      summary: { en: 'L4, 4 GPUs', zh: 'L4，4 块 GPU' },
      hardware: { slug: 'l4', name: 'L4', vendor: 'nvidia', architecture: 'ada', isGeneric: false },
      alsoPossible: [],
      facts: {
        'capability.nvlink': false,
        'cpu.architecture': 'x86_64',
        'cpu.cores': 48,
        'cpu.name': 'Intel(R) Xeon(R) Platinum 8268 CPU @ 2.90GHz',
        'cpu.sockets': 2,
        'cpu.threads_per_core': 2,
        cudnn: '9.10.2.21',
        'cuda.toolkit': '12.8.93',
        driver: '550.144.03',
        'fabric.kind': 'infiniband',
        'fabric.link_rate': 400,
        'fabric.rdma': true,
        flashAttention: '2.7.4.post1',
        'gpu.ecc': 'disabled',
        'gpu.link': 'pcie',
        'gpu.mig': 'none',
        'gpu.per_node': 4,
        'gpu.persistence': 'enabled',
        'gpu.power_limit': [72, 60],
        'host.memory': 503.6,
        'host.virtual': false,
        megatronCore: '0.14.0',
        nccl: '2.27.3',
        'nic.count': 2,
        'numa.nodes': 2,
        'pcie.generation': 4,
        'pcie.width': 8,
        torch: '2.8.0+cu128',
        transformerEngine: '2.7.0',
        triton: '3.4.0',
      },
      contradictions: [],
      outputs: [
        { tool: 'nvidia-smi --query-gpu', firstLine: 1, lastLine: 5 },
        { tool: 'nvidia-smi topo -m', firstLine: 7, lastLine: 21 },
        { tool: 'lscpu', firstLine: 24, lastLine: 46 },
        { tool: 'numactl --hardware', firstLine: 50, lastLine: 56 },
        { tool: 'nvcc --version', firstLine: 63, lastLine: 67 },
        { tool: 'pip list', firstLine: 76, lastLine: 86 },
        { tool: 'ibstat', firstLine: 90, lastLine: 130 },
      ],
      problems: [],
      removed: [
        { kind: 'ADDRESS', count: 1 },
        { kind: 'HOST_NAME', count: 1 },
        { kind: 'USER_NAME', count: 1 },
      ],
    });
    expect(found).toContainEqual({
      key: 'driver',
      name: { en: 'GPU driver', zh: 'GPU 驱动' },
      value: '550.144.03',
      tool: 'nvidia-smi --query-gpu',
      line: 2,
    });
    expect(found).toContainEqual({
      key: 'capability.nvlink',
      name: { en: 'NVLink', zh: 'NVLink' },
      value: false,
      tool: 'nvidia-smi topo -m',
      line: 7,
    });
    expect(missing.map(({ key }: { key: string }) => key)).not.toContain('hardware');
  });

  it('takes a product that is not listed for one of its architecture, under its own name', async () => {
    const text = output('nvidia-smi-csv/four-gpus.csv').replaceAll('NVIDIA L4', 'NVIDIA L77');
    expect(await detected(app, text)).toMatchObject({
      summary: { en: 'NVIDIA L77, 4 GPUs', zh: 'NVIDIA L77，4 块 GPU' },
      hardware: { slug: 'ada-sm89', vendor: 'nvidia', architecture: 'ada', isGeneric: true },
      alsoPossible: [],
      facts: { 'gpu.sku': 'NVIDIA L77', 'gpu.name': 'NVIDIA L77', 'gpu.memory': 22.5, 'gpu.per_node': 4 },
    });
  });

  it('says the vendor and the links of hardware that it cannot name', async () => {
    expect(await detected(app, output('nvidia-smi-topo/four-gpus-with-switches.txt'))).toMatchObject({
      summary: { en: 'unknown hardware, 4 GPUs, NVSwitch', zh: '未知硬件，4 块 GPU，NVSwitch' },
      hardware: null,
      facts: { vendor: 'nvidia', 'capability.nvswitch': true, 'gpu.link': 'nvlink', 'gpu.links': 18 },
      missing: expect.arrayContaining([
        expect.objectContaining({ key: 'hardware', name: { en: 'Hardware', zh: '硬件' }, command: 'nvidia-smi -q' }),
      ]),
    });
  });

  it('leaves it to people which of two values is right', async () => {
    const csv = output('nvidia-smi-csv/four-gpus.csv');
    const newer = csv.replaceAll('550.144.03', '590.48.01').replaceAll('Disabled', 'Enabled');
    const { facts, hardware, contradictions } = await detected(app, `${csv}\n${newer}`);
    const tool = 'nvidia-smi --query-gpu';
    expect(contradictions).toEqual([
      {
        key: 'driver',
        name: { en: 'GPU driver', zh: 'GPU 驱动' },
        values: [
          { value: '550.144.03', tool, line: 2 },
          { value: '590.48.01', tool, line: 8 },
        ],
      },
      {
        key: 'gpu.ecc',
        name: { en: 'ECC of the device memory', zh: '显存 ECC' },
        values: [
          { value: 'disabled', tool, line: 2 },
          { value: 'enabled', tool, line: 8 },
        ],
      },
    ]);
    expect(hardware.slug).toBe('l4');
    expect(Object.keys(facts)).not.toEqual(expect.arrayContaining(['driver']));
    expect(Object.keys(facts)).not.toEqual(expect.arrayContaining(['gpu.ecc']));
  });

  it('knows no hardware where two texts are of two machines', async () => {
    const other = output('nvidia-smi-q/two-superchips.txt');
    const { hardware, contradictions } = await detected(app, `${output('nvidia-smi-csv/four-gpus.csv')}\n${other}`);
    expect(hardware).toBeNull();
    expect(contradictions.map(({ key }: { key: string }) => key)).toEqual(
      expect.arrayContaining(['driver', 'gpu.name', 'gpu.per_node']),
    );
  });

  it.each([
    [
      'nvidia-smi-q/old-driver-one-of-three.txt',
      7,
      'The tool states 3 attached GPUs and prints 1 here',
      '工具报告共有 3 块 GPU，但此处只列出了 1 块',
    ],
    [
      'nvidia-smi-csv/two-kinds-over-time.csv',
      2,
      '2 kinds of GPU here: NVIDIA A10, NVIDIA A40',
      '这里有 2 种 GPU：NVIDIA A10、NVIDIA A40',
    ],
    [
      'ibstat/ibstatus-two-rates.txt',
      1,
      'Active ports have 2 rates here: 200, 100 Gbit/s. Some may not belong to the fabric of the GPUs',
      '活动端口有 2 种速率：200、100 Gbit/s，其中可能有不用于 GPU 互连的端口',
    ],
  ])('says in both languages what to know of %s', async (name, line, en, zh) => {
    expect((await detected(app, output(name))).problems).toEqual([{ line, message: { en, zh } }]);
  });

  it.each([
    ['', { line: null, message: { en: 'The text is empty', zh: '文本为空' } }],
    [' \n\t\n', { line: null, message: { en: 'The text is empty', zh: '文本为空' } }],
    ['step 1 loss 3.2\nstep 2 loss 3.1', { line: null, message: unknownText }],
    [
      'see below\n$ nvidia-smi -q\nbash: not found',
      {
        line: 2,
        message: {
          en: expect.stringMatching(/\. Line 2 names nvidia-smi: is its output cut\?$/),
          zh: expect.stringMatching(/。第 2 行提到 nvidia-smi，其输出是否不完整？$/),
        },
      },
    ],
  ])('finds nothing in %j, and says so', async (content, problem) => {
    const { missing, ...whole } = await detected(app, content);
    expect(whole).toEqual({
      summary: { en: 'unknown hardware', zh: '未知硬件' },
      hardware: null,
      alsoPossible: [],
      facts: {},
      runFacts: {},
      found: [],
      contradictions: [],
      outputs: [],
      problems: [problem],
      removed: [],
    });
    expect(missing).not.toEqual([]);
  });

  it('gives the facts for a run, which say what product it is', async () => {
    const { facts, runFacts } = await detected(app, server);
    const { 'capability.nvlink': _link, ...machine } = facts;
    expect(runFacts).toMatchObject(machine);
    expect(runFacts).toMatchObject({ vendor: 'nvidia', architecture: 'ada', 'gpu.sku': 'L4', 'gpu.name': 'NVIDIA L4', 'gpu.memory': 24 });
    expect(Object.keys(runFacts).filter((key) => key.startsWith('capability'))).toEqual([]);
  }); // prettier-ignore

  it('reads two million characters and fifty thousand lines, and no more', async () => {
    const log = 'step 1207 | loss 3.2071 | lr 3.0e-04 | grad norm 0.41 | tokens per second 51204\n';
    const text = output('nvidia-smi-csv/four-gpus.csv');
    const most = 2_000_000;
    const long = text + log.repeat(Math.floor((most - text.length) / log.length));
    const whole = long + '-'.repeat(most - long.length);
    expect(whole).toHaveLength(most);
    expect(await detected(app, whole)).toMatchObject({ hardware: { slug: 'l4' }, facts: { 'gpu.per_node': 4 } });

    const { project } = await given.project(app.db);
    const chinese = await given.chineseMember(app.db, project.id);
    for (const [viewer, message] of [
      [null, 'content has 2000001 characters; at most 2000000 are read'],
      [chinese, 'content 有 2000001 个字符，最多读取 2000000 个'],
    ] as const) {
      const { data, errorCode, errors } = await app.as(viewer).send(DETECT, { content: `${whole}-` });
      expect([data, errorCode, errors[0]?.message]).toEqual([null, 'INVALID_INPUT', message]);
    }
    const { errors } = await app.as(null).send(DETECT, { content: '\n'.repeat(50_000) });
    expect(errors[0]?.message).toBe('content has 50001 lines; at most 50000 are read');
  });

  it('writes nothing', async () => {
    const before = await rowsOf(app.db);
    await detected(app, server);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });
});

describe('what is found and as the profile says', () => {
  it('takes an older value away from an environment', async () => {
    const query = 'query($content: String!) { detectEnvironment(content: $content) { facts factChanges } }';
    const content = 'name, driver_version, memory.total [MiB]\nNVIDIA H200, 580.95.05, 143771 MiB\n';
    const { data, errors } = await app.as(null).send(query, { content });
    expect(errors).toEqual([]);
    const { facts, factChanges } = data.detectEnvironment;
    expect(facts).toEqual({ driver: '580.95.05', 'gpu.per_node': 1 });
    expect(factChanges).toEqual({ ...facts, 'gpu.memory': null, 'gpu.name': null, vendor: null });
  });
});

describe('what is missing after detection', () => {
  it('is what the shipped checklists still ask for, what decides most items first, with the command that tells it', async () => {
    const { hardware, facts, missing } = await detected(app, server);
    const asked = { hardware: hardware.slug, facts };
    const nodes = [
      ...(await nodesOf(app, asked)),
      ...(await nodesOf(app, { ...asked, checklist: 'application-level' })),
    ];
    expect(counted(missing)).toEqual(tally(nodes).slice(0, 100));
    const commands = new Map(missing.map(({ key, command }: Missing) => [key, command]));
    expect(commands.get('workload.phase')).toBeNull();
    expect(commands.get('nodes.count')).toBeNull();
    expect(missing).toContainEqual({
      key: 'workload.phase',
      name: { en: 'Workload phase', zh: '负载阶段' },
      itemCount: nodes.filter((node) => node.missing.includes('workload.phase')).length,
      command: null,
    });
  });

  it('is less the more tools are read', async () => {
    const keys = async (content: string): Promise<string[]> =>
      (await detected(app, content)).missing.map(({ key }: Missing) => key);
    const before = (await detected(app, '')).missing;
    expect(before[0]).toEqual({
      key: 'hardware',
      name: { en: 'Hardware', zh: '硬件' },
      itemCount: expect.any(Number),
      command: 'nvidia-smi -q',
    });
    expect(before.find(({ key }: Missing) => key === 'torch')).toMatchObject({
      name: { en: 'PyTorch', zh: 'PyTorch' },
      command: 'python -m torch.utils.collect_env',
    });
    expect(before.find(({ key }: Missing) => key === 'fabric.kind')).toMatchObject({ command: 'ibstat' });
    const after = await keys(server);
    expect(after).not.toEqual(expect.arrayContaining(['hardware']));
    expect(after).not.toEqual(expect.arrayContaining(['torch']));
    expect(after).not.toEqual(expect.arrayContaining(['fabric.kind']));
  });
});
