import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { counted, nodesOf, REPORT, reported, tally, type Missing, type Node } from '../support/machine-reports.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A checklist of six items that only its owner sees; what is asked of it is in this file alone. */
const own = (applicability: Readonly<Record<string, object | undefined>>) =>
  JSON.stringify({
    format: 'tunebook-checklist/1',
    title: { en: 'Own', zh: '自有' },
    summary: { en: 'Own items.', zh: '自有条目。' },
    sections: [
      {
        key: 'own',
        title: { en: 'Own', zh: '自有' },
        items: Object.entries(applicability).map(([key, predicate]) => ({
          key,
          title: { en: key, zh: key },
          summary: { en: key, zh: key },
          ...(predicate ? { applicability: predicate } : {}),
        })),
      },
    ],
  });
const predicates = {
  switched: { capability: 'nvswitch' },
  training: { 'workload.phase': 'training' },
  several: { 'gpu.count': { atLeast: 2 } },
  workaround: { torch: { version: '<2.0' } },
  everywhere: undefined,
  modern: { all: [{ vendor: 'nvidia' }, { torch: { version: '>=2.5' } }] },
};

describe('applicability', () => {
  let owner: { id: string };
  let project: given.Team;
  const checklist = 'own-items';
  const answersOf = (nodes: readonly Node[]) =>
    nodes.map(({ item, applicability, missing }) => [item.key.slice(4), applicability.answer, ...missing]);

  beforeAll(async () => {
    project = await given.project(app.db);
    owner = project.maintainer;
    const send = (content: string, version: string) =>
      app.as(owner).send('mutation($input: ImportChecklistInput!) { importChecklist(input: $input) { version problems { message } } }', { input: { content, slug: checklist, version } }); // prettier-ignore
    const older = await send(own({ training: predicates.training, gone: { vendor: 'amd' } }), '1.0.0');
    const newer = await send(own(predicates), '1.1.0');
    expect([older, newer].map(({ data }) => data.importChecklist)).toEqual([
      { version: '1.0.0', problems: [] },
      { version: '1.1.0', problems: [] },
    ]);
  });

  it('of a hardware profile says what applies, and of the rest what is missing', async () => {
    const report = await reported(app, { checklist, hardware: 'h100-sxm' }, owner);
    expect(report).toMatchObject({
      checklist: { slug: checklist, version: '1.1.0', itemCount: 6 },
      counts: { yes: 1, no: 0, unknown: 5 },
    });
    const nodes = await nodesOf(app, { checklist, hardware: 'h100-sxm' }, owner);
    expect(answersOf(nodes)).toEqual([
      ['switched', 'UNKNOWN', 'capability.nvswitch'],
      ['training', 'UNKNOWN', 'workload.phase'],
      ['several', 'UNKNOWN', 'gpu.count'],
      ['workaround', 'UNKNOWN', 'torch'],
      ['everywhere', 'YES'],
      ['modern', 'UNKNOWN', 'torch'],
    ]);
    expect(report.missing).toEqual([
      { key: 'torch', name: { en: 'PyTorch', zh: 'PyTorch' }, itemCount: 2, command: 'python -m torch.utils.collect_env' },
      { key: 'capability.nvswitch', name: { en: 'NVSwitch', zh: 'NVSwitch' }, itemCount: 1, command: 'nvidia-smi topo -m' },
      { key: 'gpu.count', name: { en: 'Number of GPUs on all nodes', zh: 'GPU 总数（所有节点合计）' }, itemCount: 1, command: 'nvidia-smi -q' },
      { key: 'workload.phase', name: { en: 'Workload phase', zh: '负载阶段' }, itemCount: 1, command: null },
    ]);
  }); // prettier-ignore

  it.each([
    [{ hardware: 'mi300x' }, 'gpu.count', 'amd-smi static'],
    [{ hardware: 'ascend-910b' }, 'gpu.count', 'npu-smi info'],
    [{ facts: { vendor: 'AMD' } }, 'gpu.count', 'amd-smi static'],
    [{}, 'gpu.count', 'nvidia-smi -q'],
    [{ hardware: 'l4', facts: { 'gpu.per_node': 1 } }, 'nodes.count', null],
  ])('of %j asks for %s, by the command %j', async (asked, key, command) => {
    const { missing } = await reported(app, { checklist, ...asked }, owner);
    const counts = missing.filter((one: Missing) => /\.count$/.test(one.key));
    expect(counts).toMatchObject([{ key, itemCount: 1, command }]);
  });

  it('of facts over a profile gives every answer with its reasons in both languages', async () => {
    const facts = { gpu: { per_node: 8 }, torch: '2.8.0', 'workload.phase': 'Train' };
    const nodes = await nodesOf(app, { checklist, hardware: 'h100-sxm', facts }, owner);
    expect(nodes.map(({ item, applicability }) => ({ key: item.key.slice(4), ...applicability }))).toEqual([
      {
        key: 'switched',
        answer: 'YES',
        isPast: false,
        reasons: [
          {
            en: 'H100 SXM has NVSwitch (boards of 8 SXM modules have NVSwitch)',
            zh: 'H100 SXM 具备 NVSwitch（8 块 SXM 模组的基板带有 NVSwitch）',
          },
        ],
      },
      { key: 'training', answer: 'YES', isPast: false, reasons: [{ en: 'Workload phase is training', zh: '负载阶段为 training' }] },
      {
        key: 'several',
        answer: 'YES',
        isPast: false,
        reasons: [{ en: 'Number of GPUs on all nodes is at least 8', zh: 'GPU 总数（所有节点合计）为 8 或更多' }],
      },
      {
        key: 'workaround',
        answer: 'NO',
        isPast: true,
        reasons: [{ en: 'PyTorch must be version <2.0; it is 2.8.0', zh: 'PyTorch 版本须满足 <2.0，实际为 2.8.0' }],
      },
      { key: 'everywhere', answer: 'YES', isPast: false, reasons: [{ en: 'applies to every environment', zh: '适用于所有环境' }] },
      {
        key: 'modern',
        answer: 'YES',
        isPast: false,
        reasons: [
          { en: 'Vendor of the accelerator is nvidia', zh: '加速器厂商为 nvidia' },
          { en: 'PyTorch is 2.8.0', zh: 'PyTorch 为 2.8.0' },
        ],
      },
    ]);
    const { counts, missing } = await reported(app, { checklist, hardware: 'h100-sxm', facts }, owner);
    expect([counts, missing]).toEqual([{ yes: 5, no: 1, unknown: 0 }, []]);
  }); // prettier-ignore

  it('of facts alone, and of nothing, says what the hardware would settle', async () => {
    expect(answersOf(await nodesOf(app, { checklist, facts: { torch: '1.13.1' } }, owner))).toEqual([
      ['switched', 'UNKNOWN', 'hardware'],
      ['training', 'UNKNOWN', 'workload.phase'],
      ['several', 'UNKNOWN', 'gpu.count'],
      ['workaround', 'YES'],
      ['everywhere', 'YES'],
      ['modern', 'NO'],
    ]);
    const { counts, missing } = await reported(app, { checklist }, owner);
    expect(counts).toEqual({ yes: 1, no: 0, unknown: 5 });
    expect(counted(missing)).toEqual([
      ['torch', 2],
      ['gpu.count', 1],
      ['hardware', 1],
      ['vendor', 1],
      ['workload.phase', 1],
    ]);
  });

  it('of an environment says what it says of its hardware and facts', async () => {
    const facts = { 'gpu.count': 1, torch: '2.8.0', 'workload.phase': 'decode' };
    const { id } = await given.environment(app.db, project.project.id, { hardware: 'h200-sxm', facts });
    const report = await reported(app, { checklist, environmentId: id }, owner);
    expect(report).toEqual(await reported(app, { checklist, hardware: 'h200-sxm', facts }, owner));
    expect(report.counts).toEqual({ yes: 2, no: 4, unknown: 0 });
    const bare = await given.environment(app.db, project.project.id);
    expect(await reported(app, { checklist, environmentId: bare.id }, owner)).toEqual(
      await reported(app, { checklist }, owner),
    );
  });

  it('understands the words that people use, and refuses those that mean nothing', async () => {
    const counts = async (facts: object) => (await reported(app, { checklist, facts }, owner)).counts;
    for (const word of ['training', 'Train', 'PRETRAINING', 'fine_tuning']) {
      expect(await counts({ 'workload.phase': word })).toEqual({ yes: 2, no: 0, unknown: 4 });
    }
    expect(await counts({ 'workload.phase': 'inference' })).toEqual({ yes: 1, no: 1, unknown: 4 });
    const refusedWith = async (viewer: { id: string } | null) => {
      const facts = { 'workload.phase': 'trainin' };
      const { errorCode, errors } = await app.as(viewer).send(REPORT, { checklist: 'application-level', facts });
      return [errorCode, errors[0]?.message];
    };
    expect(await refusedWith(null)).toEqual([
      'INVALID_INPUT',
      'facts.workload.phase "trainin" is none of training, inference, prefill, decode, data; did you mean training?',
    ]);
    expect(await refusedWith(await given.chineseMember(app.db, project.project.id))).toEqual([
      'INVALID_INPUT',
      'facts.workload.phase 的取值“trainin”不在 training、inference、prefill、decode、data 之列，是否指 training？',
    ]);
  });

  it('is filtered by answers, and counts over all of them', async () => {
    const asked = { checklist, hardware: 'h100-sxm', facts: { torch: '2.8.0', 'gpu.count': 1 } };
    const keys = async (answers: readonly string[] | null) =>
      (await nodesOf(app, { ...asked, answers }, owner)).map(({ item }) => item.key.slice(4));
    expect(await keys(['YES'])).toEqual(['everywhere', 'modern']);
    expect(await keys(['NO'])).toEqual(['switched', 'several', 'workaround']);
    expect(await keys(['UNKNOWN', 'YES'])).toEqual(['training', 'everywhere', 'modern']);
    expect(await keys(null)).toHaveLength(6);
    expect(await keys([])).toEqual([]);
    const { counts, items } = await reported(app, { ...asked, answers: ['NO'] }, owner);
    expect([counts, items.totalCount]).toEqual([{ yes: 2, no: 3, unknown: 1 }, 3]);
  });

  it('comes in pages in the order of the checklist', async () => {
    const all = (await nodesOf(app, { checklist }, owner)).map(({ item }) => item.key);
    expect(all).toEqual(Object.keys(predicates).map((key) => `own/${key}`));
    for (const first of [1, 4, 6]) {
      expect((await nodesOf(app, { checklist, first }, owner)).map(({ item }) => item.key)).toEqual(all);
    }
    const { items } = await reported(app, { checklist, first: 2 }, owner);
    expect(items.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false, endCursor: items.edges[1].cursor });
    const rest = await reported(app, { checklist, after: items.pageInfo.endCursor }, owner);
    expect(rest.items.edges.map(({ node }: { node: Node }) => node.item.key)).toEqual(all.slice(2));
    const filtered = { checklist, answers: ['YES'], after: items.pageInfo.endCursor };
    expect(await app.as(owner).send(REPORT, filtered)).toMatchObject({ data: null, errorCode: 'INVALID_INPUT' });
  });

  it.each([
    [{ first: 0 }, 'INVALID_INPUT', 'first must be 1 to 100, and is 0'],
    [{ first: 101 }, 'INVALID_INPUT', 'first must be 1 to 100, and is 101'],
    [{ after: 'garbage' }, 'INVALID_INPUT', '"garbage" is not a cursor of this list'],
    [{ hardware: 'H100' }, 'INVALID_INPUT', 'There is no hardware profile "H100" (did you mean h100-sxm, h100-pcie, h100-nvl?); the query hardwareProfiles lists all'],
    [{ hardware: '' }, 'INVALID_INPUT', 'There is no hardware profile ""; the query hardwareProfiles lists all'],
    [{ facts: [1] }, 'INVALID_INPUT', 'facts must be an object'],
    [{ facts: { 'GPU count': 8 } }, 'INVALID_INPUT', 'facts.GPU count is not a path such as gpu.sku or env.NCCL_ALGO'],
    [{ checklist: 'nope' }, 'NOT_FOUND', 'There is no checklist "nope"'],
    [{ checklist: '' }, 'NOT_FOUND', 'There is no checklist ""'],
    [{ version: '9.9.9' }, 'NOT_FOUND', 'There is no checklist "ai-systems-performance" 9.9.9'],
    [{ environmentId: 'nope' }, 'NOT_FOUND', 'There is no environment "nope" in this project'],
    [{ environmentId: 'nope', hardware: 'h100-sxm' }, 'INVALID_INPUT', 'Give either environmentId, or hardware and facts'],
    [{ environmentId: 'nope', facts: {} }, 'INVALID_INPUT', 'Give either environmentId, or hardware and facts'],
  ])('refuses %j', async (variables, code, message) => {
    const { data, errorCode, errors } = await app.owner.send(REPORT, { checklist: 'ai-systems-performance', ...variables });
    expect([data, errorCode, errors[0]?.message]).toEqual([null, code, message]);
  }); // prettier-ignore

  it('refuses in Chinese whoever reads Chinese', async () => {
    const chinese = await given.chineseMember(app.db, project.project.id);
    const said = async (variables: object) =>
      (await app.as(chinese).send(REPORT, { checklist: 'application-level', ...variables })).errors[0]?.message;
    expect(await said({ environmentId: 'x', hardware: 'l4' })).toBe('请给出 environmentId，或给出 hardware 与 facts，二者择一');
    expect(await said({ hardware: 'MI300' })).toBe(
      '没有硬件配置“MI300”（是否指 mi300x、mi300a、mi350x？）；查询 hardwareProfiles 可列出全部',
    );
    expect(await said({ checklist: 'nope' })).toBe('没有清单“nope”');
  }); // prettier-ignore

  it('is of the newest release, or of the one that is named', async () => {
    const older = await reported(app, { checklist, version: '1.0.0', facts: { vendor: 'nvidia' } }, owner);
    expect(older).toMatchObject({
      checklist: { slug: checklist, version: '1.0.0', itemCount: 2 },
      counts: { yes: 0, no: 1, unknown: 1 },
    });
    expect((await reported(app, { checklist, version: '1.1.0' }, owner)).checklist.version).toBe('1.1.0');
    expect((await reported(app, { checklist, version: null }, owner)).checklist.version).toBe('1.1.0');
  });

  it('of a checklist that the viewer may not see is as if there were none', async () => {
    for (const viewer of [project.stranger, null]) {
      const { data, errorCode, errors } = await app.as(viewer).send(REPORT, { checklist, version: '1.0.0' });
      expect([data, errorCode, errors[0]?.message]).toEqual([
        null,
        'NOT_FOUND',
        `There is no checklist "${checklist}" 1.0.0`,
      ]);
    }
  });

  it('of an environment that the viewer may not see is as if there were none', async () => {
    const { id } = await given.environment(app.db, project.project.id, { hardware: 'h200-sxm' });
    const variables = { checklist: 'ai-systems-performance', environmentId: id };
    for (const viewer of [project.stranger, null]) {
      const { data, errorCode, errors } = await app.as(viewer).send(REPORT, variables);
      expect([data, errorCode, errors[0]?.message]).toEqual([
        null,
        'NOT_FOUND',
        `There is no environment "${id}" in this project`,
      ]);
    }
    expect((await reported(app, variables, project.viewer)).checklist.slug).toBe('ai-systems-performance');
  });

  it.each(['h100-sxm', 'mi300x', 'ascend-910b', 'gb200-nvl72', 'ada-sm89', 'jetson-agx-orin'])(
    'of %s adds up to the items of both shipped checklists, and agrees with the lists of items',
    async (hardware) => {
      for (const shipped of ['ai-systems-performance', 'application-level']) {
        const asked = { checklist: shipped, hardware };
        const { checklist: found, counts, missing } = await reported(app, asked);
        const nodes = await nodesOf(app, asked);
        expect(nodes).toHaveLength(found.itemCount);
        const of = (answer: string) => nodes.filter(({ applicability }) => applicability.answer === answer);
        expect(counts).toEqual({ yes: of('YES').length, no: of('NO').length, unknown: of('UNKNOWN').length });
        expect(counted(missing)).toEqual(tally(nodes).slice(0, 100));
        for (const { missing: keys, applicability } of nodes) {
          expect(keys.length > 0).toBe(applicability.answer === 'UNKNOWN');
          expect(applicability.reasons).not.toEqual([]);
        }
        const listed = `query($after: String) {
          items(checklist: "${shipped}", filter: { hardware: "${hardware}" }, first: 100, after: $after) {
            pageInfo { hasNextPage endCursor } edges { node { key applicability(hardware: "${hardware}") { answer } } }
          }
        }`;
        const items: { key: string; applicability: { answer: string } }[] = [];
        for (let after: string | null = null; ;) {
          const { data, errors } = await app.as(null).send(listed, { after });
          expect(errors).toEqual([]);
          items.push(...data.items.edges.map(({ node }: { node: (typeof items)[number] }) => node));
          if (!data.items.pageInfo.hasNextPage) break;
          after = data.items.pageInfo.endCursor;
        }
        expect(items.map(({ key, applicability }) => [key, applicability.answer])).toEqual(
          nodes
            .filter(({ applicability }) => applicability.answer !== 'NO')
            .map(({ item, applicability }) => [item.key, applicability.answer]),
        );
      }
    },
  );

  it('takes as many statements for a hundred items as for two', async () => {
    const few = await app.statementsOf(() => reported(app, { hardware: 'h100-sxm', first: 2 }));
    const many = await app.statementsOf(() => reported(app, { hardware: 'h100-sxm', first: 100 }));
    expect(many).toBeLessThanOrEqual(few);
    expect(many).toBeLessThanOrEqual(12);
  });
});
