import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';

const CHECKLIST = 'ai-systems-performance';

let app: TestApp;
let release: Prisma.ReleaseGetPayload<{
  include: { items: { include: { revision: true; section: true } }; sections: true };
}>;
beforeAll(async () => {
  app = await startApp();
  release = await app.db.release.findFirstOrThrow({
    where: { checklist: { slug: CHECKLIST } },
    orderBy: { rank: 'desc' },
    include: {
      items: { include: { revision: true, section: true }, orderBy: { position: 'asc' } },
      sections: { orderBy: { order: 'asc' } },
    },
  });
});
afterAll(() => app.close());

/** Asks as nobody: the catalog is for everybody. */
async function ask(query: string, variables: object = {}, viewer: { id: string } | null = null) {
  const { data, errors } = await app.as(viewer).send(query, { ...variables });
  expect(errors).toEqual([]);
  return data;
}

describe('checklists', () => {
  it('are listed in their newest release', async () => {
    const { checklists } = await ask('{ checklists { slug version itemCount title { en zh } summary { en } digest } }');
    expect(checklists).toContainEqual({
      slug: CHECKLIST,
      version: release.version,
      itemCount: release.items.length,
      title: { en: 'AI systems performance', zh: 'AI 系统性能' },
      summary: { en: expect.stringContaining('Practices for the performance') },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('have their sections and items in order', async () => {
    const { checklist } = await ask(
      `query($slug: String!, $version: String) {
         checklist(slug: $slug, version: $version) { sections { key order title { en } summary { zh } items { key order } } }
       }`,
      { slug: CHECKLIST, version: release.version },
    );
    const { sections } = checklist;
    expect(sections.map(({ key }: { key: string }) => key)).toEqual(release.sections.map(({ key }) => key));
    expect(sections.map(({ order }: { order: number }) => order)).toEqual(sections.map((_: unknown, index: number) => index + 1));
    for (const { key, items } of sections) {
      expect(items).toEqual(
        release.items.filter(({ section }) => section.key === key).map((item, index) => ({ key: item.key, order: index + 1 })),
      );
    }
  }); // prettier-ignore

  it.each([
    ['nope', null],
    ['', null],
    [CHECKLIST, '9.9.9'],
    [CHECKLIST, ''],
  ])('are null for %j in version %j', async (slug, version) => {
    const query = 'query($slug: String!, $version: String) { checklist(slug: $slug, version: $version) { slug } }';
    expect(await ask(query, { slug, version })).toEqual({ checklist: null });
  });

  it('come whole with the same number of statements, however many sections and items they have', async () => {
    const whole = `checklist(slug: "${CHECKLIST}") {
      title { text } itemCount
      sections { key title { text } items { key title { text } summary { text } tags metrics { key } section { key } checklist { version } } }
    }`;
    const statements = await app.statementsOf(() => ask(`{ ${whole} }`));
    expect(statements).toBeLessThanOrEqual(10);
    expect(await app.statementsOf(() => ask(`{ ${whole.replace('sections {', 'sections { order ')} }`))).toBe(statements);
    const section = await app.db.section.create({
      data: { releaseId: release.id, key: 'more', order: 99, title: { en: 'More', zh: '更多' }, summary: { en: '', zh: '' } },
    });
    const item = { key: 'more/one', order: 1, position: 999, revisionId: release.items[0]?.revisionId ?? '' };
    await app.db.releaseItem.create({ data: { ...item, releaseId: release.id, sectionId: section.id } });
    expect(await app.statementsOf(() => ask(`{ ${whole} }`))).toBe(statements);
    await app.db.releaseItem.deleteMany({ where: { sectionId: section.id } });
    await app.db.section.delete({ where: { id: section.id } });
  }); // prettier-ignore
});

describe('an item', () => {
  it('has everything that its file says', async () => {
    const { item } = await ask(
      `{ item(checklist: "${CHECKLIST}", key: "precision/tf32") {
           key order layer bottleneck workload frameworks tags settings effort isReversible reviewBy
           checklist { slug version } section { key } title { en zh } body { en zh } why { en }
           metrics { key direction unit } sources { title url checkedAt } signals { tool operator value }
           expectedGains { basis metric ratioFrom ratioTo note source } risk { accuracy stability operations }
           relations { seeAlso requires }
         } }`,
    );
    expect(item).toMatchObject({
      key: 'precision/tf32',
      layer: 'precision',
      bottleneck: 'compute',
      workload: ['training', 'prefill'],
      frameworks: ['pytorch'],
      tags: expect.arrayContaining(['tensor-cores', 'matmul']),
      settings: expect.arrayContaining(['torch.set_float32_matmul_precision']),
      effort: 'XS',
      isReversible: true,
      checklist: { slug: CHECKLIST, version: release.version },
      section: { key: 'precision' },
      risk: { accuracy: 'LOW', stability: 'NONE', operations: 'NONE' },
    });
    expect(item.metrics[0]).toEqual({ key: 'training.step_time', direction: 'LOWER_IS_BETTER', unit: 'ms' });
    expect(item.body.en).toMatch(/^## Why it matters\n\n/);
    expect(item.body.en).toContain(item.why.en);
    expect(item.body.zh).toContain('## 如何回退');
    expect(item.sources[0]).toMatchObject({ checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00/) });
    expect(item.expectedGains[0]).toMatchObject({ basis: 'OWN_MEASUREMENT', ratioFrom: 3.36, ratioTo: 3.36, source: null });
  }); // prettier-ignore

  it.each([['precision/nope'], [''], ['precision/TF32'], ['%']])('is null for the key %j', async (key) => {
    const query = 'query($checklist: String!, $key: String!) { item(checklist: $checklist, key: $key) { id } }';
    expect(await ask(query, { checklist: CHECKLIST, key })).toEqual({ item: null });
    expect(await ask(query, { checklist: 'nope', key: 'precision/tf32' })).toEqual({ item: null });
  });

  it('has its texts in the language asked for, else in that of the viewer', async () => {
    const { project } = await given.project(app.db);
    const chinese = await given.chineseMember(app.db, project.id);
    const query = `{ item(checklist: "${CHECKLIST}", key: "precision/tf32") {
      title { text isFallback inChinese: text(locale: ZH) inEnglish: text(locale: EN) isMissing: isFallback(locale: ZH) }
    } }`;
    const [en, zh] = ['TF32 for products that stay in FP32', '仍用 FP32 的矩阵乘改走 TF32'];
    const both = { isFallback: false, inChinese: zh, inEnglish: en, isMissing: false };
    expect((await ask(query)).item.title).toEqual({ ...both, text: en });
    expect((await ask(query, {}, chinese)).item.title).toEqual({ ...both, text: zh });

    const { revisionId } = release.items.find(({ key }) => key === 'io/striping') ?? { revisionId: '' };
    await app.db.itemRevision.update({ where: { id: revisionId }, data: { title: { en: 'English only' } } });
    const one = await ask(query.replace('precision/tf32', 'io/striping'), {}, chinese);
    expect(one.item.title).toEqual({ text: 'English only', isFallback: true, inChinese: 'English only', inEnglish: 'English only', isMissing: true });
    await app.db.itemRevision.update({ where: { id: revisionId }, data: { title: { zh: '只有中文' } } });
    const other = await ask(query.replace('precision/tf32', 'io/striping'));
    expect(other.item.title).toEqual({ text: '只有中文', isFallback: true, inChinese: '只有中文', inEnglish: '只有中文', isMissing: false });
  }); // prettier-ignore
});

describe('the applicability of an item', () => {
  const QUERY = `query($key: String!, $hardware: String, $environmentId: ID) {
    item(checklist: "${CHECKLIST}", key: $key) {
      applicability(hardware: $hardware, environmentId: $environmentId) { answer reasons { en zh } }
    }
  }`;
  const of = async (variables: object, viewer: { id: string } | null = null) =>
    (await ask(QUERY, { key: 'precision/tf32', ...variables }, viewer)).item.applicability;

  it('is asked of a hardware profile', async () => {
    expect(await of({ key: 'launch/thread-block-clusters', hardware: 'mi300x' })).toEqual({
      answer: 'NO',
      reasons: [
        { en: 'needs Thread block clusters; MI300X does not have it', zh: '需要线程块集群，而 MI300X 不具备' },
      ],
    });
    expect(await of({ hardware: 'h100-sxm', environmentId: null })).toEqual({
      answer: 'UNKNOWN',
      reasons: [
        {
          en: 'Precision is not known (workload.precision must be one of fp32, tf32, mixed)',
          zh: '精度未知（workload.precision 须为 fp32、tf32、mixed 之一）',
        },
      ],
    });
  }); // prettier-ignore

  it('says of alternatives that one of them is needed', async () => {
    const { reasons } = await of({ key: 'precision/tensor-cores-and-tma', hardware: 'ascend-910b' });
    expect(reasons).toEqual([
      {
        en: 'needs one of: FP16 Tensor Cores, BF16 Tensor Cores, Tensor Memory Accelerator, Matrix Cores; Ascend 910B has none of them',
        zh: '需要以下任意一项：FP16 张量核心、BF16 张量核心、张量内存加速器（TMA）、矩阵核心（Matrix Core），而 Ascend 910B 均不具备',
      },
    ]);
    expect(await of({ key: 'precision/inference-quantization', hardware: 'h100-sxm' })).toEqual({
      answer: 'UNKNOWN',
      reasons: [
        {
          en: 'Workload phase is not known (workload.phase must be one of prefill, decode)',
          zh: '负载阶段未知（workload.phase 须为 prefill、decode 之一）',
        },
      ],
    });
  });

  it.each([
    ['precision/mixed-precision', { 'workload.phase': 'training' }],
    ['precision/fused-scaling', { 'workload.precision': 'fp8' }],
    ['network/nccl-settings', { 'gpu.count': 8 }],
  ])('says of MI300X that %s applies with %j', async (key, facts) => {
    const { project, viewer } = await given.project(app.db);
    const { id } = await given.environment(app.db, project.id, { hardware: 'mi300x', facts });
    expect(await of({ key, environmentId: id }, viewer)).toMatchObject({ answer: 'YES' });
  });

  it('takes inference for prefill and decode', async () => {
    const { project, viewer } = await given.project(app.db);
    const facts = { 'workload.phase': 'inference' };
    const { id } = await given.environment(app.db, project.id, { hardware: 'mi300x', facts });
    expect(await of({ key: 'precision/inference-quantization', environmentId: id }, viewer)).toMatchObject({
      answer: 'YES',
    });
  });

  it('is asked of an environment that the viewer may see', async () => {
    const { project, viewer, stranger } = await given.project(app.db);
    const facts = { 'workload.precision': 'fp32' };
    const { id } = await given.environment(app.db, project.id, { hardware: 'h100-sxm', facts });
    expect(await of({ environmentId: id, hardware: null }, viewer)).toMatchObject({ answer: 'YES' });
    const bare = await given.environment(app.db, project.id);
    expect(await of({ environmentId: bare.id }, viewer)).toMatchObject({ answer: 'UNKNOWN' });
    for (const [asked, by] of [[id, stranger], [id, null], ['no-such-environment', viewer]] as const) {
      const { errorCode, errors } = await app.as(by).send(QUERY, { key: 'precision/tf32', environmentId: asked });
      expect([errorCode, errors[0]?.message]).toEqual(['NOT_FOUND', `There is no environment "${asked}" in this project`]);
    }
  }); // prettier-ignore

  it.each([
    [{}, 'Give exactly one of hardware and environmentId'],
    [{ hardware: null, environmentId: null }, 'Give exactly one of hardware and environmentId'],
    [{ hardware: 'h100-sxm', environmentId: 'x' }, 'Give exactly one of hardware and environmentId'],
    [
      { hardware: 'h100' },
      'There is no hardware profile "h100" (did you mean h100-sxm, h100-pcie, h100-nvl?); the query hardwareProfiles lists all',
    ],
    [
      { hardware: 'AMD Instinct MI300X' },
      'There is no hardware profile "AMD Instinct MI300X" (did you mean mi300x?); the query hardwareProfiles lists all',
    ],
    [{ hardware: 'tpu' }, 'There is no hardware profile "tpu"; the query hardwareProfiles lists all'],
    [{ hardware: '' }, 'There is no hardware profile ""; the query hardwareProfiles lists all'],
    [{ hardware: '\0' }, '$hardware contains U+0000, which cannot be stored'],
  ])('refuses %j', async (variables, message) => {
    const { errorCode, errors } = await app.owner.send(QUERY, { key: 'precision/tf32', ...variables });
    expect([errorCode, errors[0]?.message]).toEqual(['INVALID_INPUT', message]);
  });
});

describe('items', () => {
  const QUERY = `query($checklist: String, $filter: ItemFilter, $first: Int, $after: String) {
    items(checklist: $checklist, filter: $filter, first: $first, after: $after) {
      totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { cursor node { key tags layer workload applicability(hardware: "mi300x") { answer } } }
    }
  }`;
  interface Edge {
    readonly node: { readonly key: string; readonly applicability: { readonly answer: string } };
  }
  /** All nodes over all pages. */
  async function nodesWith(variables: object): Promise<Edge['node'][]> {
    const seen: Edge['node'][] = [];
    let after: string | null = null;
    do {
      const { items }: { items: { edges: Edge[]; totalCount: number; pageInfo: Record<string, never> } } = await ask(QUERY, { first: 100, ...variables, after });
      seen.push(...items.edges.map(({ node }) => node));
      expect(items.pageInfo).toMatchObject({ hasPreviousPage: after !== null, hasNextPage: seen.length < items.totalCount });
      after = items.pageInfo['hasNextPage'] ? (items.pageInfo['endCursor'] ?? null) : null;
    } while (after !== null);
    return seen;
  } // prettier-ignore
  async function keysWith(filter: object | null): Promise<string[]> {
    return (await nodesWith({ checklist: CHECKLIST, filter })).map(({ key }) => key);
  }
  const keysWhere = (condition: (item: (typeof release)['items'][number]) => boolean) =>
    release.items.filter(condition).map(({ key }) => key);

  it('come in the order of the checklist, in pages without gaps', async () => {
    const keys = release.items.map(({ key }) => key);
    expect((await nodesWith({ checklist: CHECKLIST, first: 7 })).map(({ key }) => key)).toEqual(keys);
    const all = (await nodesWith({})).map(({ key }) => key);
    expect(all.slice(0, keys.length)).toEqual(keys);
    expect(all).toHaveLength(await app.db.releaseItem.count({ where: { release: { checklist: { teamId: null } } } }));
  });

  it('are filtered by section, tags, layer and workload', async () => {
    expect(await keysWith(null)).toEqual(release.items.map(({ key }) => key));
    expect(await keysWith({ section: 'io' })).toEqual(keysWhere(({ section }) => section.key === 'io'));
    expect(await keysWith({ layer: 'network' })).toEqual(keysWhere(({ revision }) => revision.layer === 'network'));
    expect(await keysWith({ tags: ['bandwidth', 'latency'] })).toEqual(
      keysWhere(({ revision }) => revision.tags.includes('bandwidth') && revision.tags.includes('latency')),
    );
    const decode = await keysWith({ workload: 'decode' });
    expect(decode).toEqual(
      keysWhere(({ revision }) => revision.phases.includes('decode') || revision.phases.includes('all')),
    );
    expect(decode.length).toBeGreaterThan(1);
    expect(await keysWith({ section: 'io', layer: 'network' })).toEqual([]);
    expect(await keysWith({ tags: [''] })).toEqual([]);
  });

  it('are filtered by hardware to those that apply or may apply', async () => {
    const all = await nodesWith({ checklist: CHECKLIST });
    const mayApply = all.filter(({ applicability }) => applicability.answer !== 'NO');
    expect(await keysWith({ hardware: 'mi300x' })).toEqual(mayApply.map(({ key }) => key));
    expect(mayApply.length).toBeLessThan(all.length);
    expect(await keysWith({ hardware: 'h100-sxm', text: 'launch/thread-block' })).toEqual([
      'launch/thread-block-clusters',
    ]);
    expect(await keysWith({ hardware: 'mi300x', text: 'launch/thread-block' })).toEqual([]);
  });

  it.each([
    ['tf32 FOR', ['precision/tf32']],
    ['锁页内存', ['io/pinned-memory']],
    ['CUBLAS_COMPUTE_32F', ['precision/tf32']],
    ['precision/tf', ['precision/tf32']],
    ['%', []],
    ['precision_tf32', []],
    ['\\', []],
  ])('are filtered by the text %j as it is', async (text, expected) => {
    const found = await keysWith({ text });
    expect(found).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0) {
      const inTexts = keysWhere(({ key, revision: { title, summary, settings } }) => JSON.stringify([key, title, summary, settings]).includes(text)); // prettier-ignore
      expect(found).toEqual(text === '\\' ? [] : inTexts);
    }
  });

  it.each([
    [{ first: 0 }, 'first must be 1 to 100, and is 0'],
    [{ first: 101 }, 'first must be 1 to 100, and is 101'],
    [{ first: -1 }, 'first must be 1 to 100, and is -1'],
    [{ first: 2_147_483_648 }, 'Int cannot represent non 32-bit signed integer value'],
    [{ after: 'garbage' }, '"garbage" is not a cursor of this list'],
    [{ after: Buffer.from('v1:nope').toString('base64url') }, '"djE6bm9wZQ" is not a cursor of this list'],
    [{ filter: { hardware: 'h900' } }, 'There is no hardware profile "h900"'],
    [{ filter: { text: 'a\0' } }, '$filter.text contains U+0000'],
    [{ filter: { tags: [null] } }, 'Expected non-nullable type "String!" not to be null'],
  ])('refuse %j', async (variables, message) => {
    const { errorCode, errors } = await app.owner.send(QUERY, variables);
    expect([errorCode, errors[0]?.message]).toEqual(['INVALID_INPUT', expect.stringContaining(message)]);
  });

  it('of an unknown checklist are not found', async () => {
    const { errorCode, errors } = await app.owner.send(QUERY, { checklist: 'nope' });
    expect([errorCode, errors[0]?.message]).toEqual(['NOT_FOUND', 'There is no checklist "nope"']);
  });
});

describe('environment keys', () => {
  it('are listed by key with name, tier and unit', async () => {
    const { environmentKeys } = await ask('{ environmentKeys { key name { en zh } tier unit } }');
    const keys = environmentKeys.map(({ key }: { key: string }) => key);
    expect(keys).toHaveLength(await app.db.environmentKey.count());
    expect(keys).toEqual([...keys].sort());
    expect(keys).toContain('env.*');
    expect(environmentKeys).toContainEqual({
      key: 'nodes.count',
      name: { en: 'Number of nodes', zh: '节点数' },
      tier: 'BLOCK',
      unit: null,
    });
    expect(environmentKeys).toContainEqual(expect.objectContaining({ key: 'gpu.memory', tier: 'WARN', unit: 'GB' }));
  });
});

describe('metrics and hardware profiles', () => {
  it('are listed, metrics with a direction or as context', async () => {
    const { metrics } = await ask('{ metrics { key name { en zh } unit dimension direction target smallestEffect isExact role } }');
    expect(metrics).toHaveLength(await app.db.metric.count({ where: { scope: '' } }));
    expect(metrics).toContainEqual(expect.objectContaining({ key: 'training.step_time', unit: 'ms', dimension: 'time', direction: 'LOWER_IS_BETTER', target: null }));
    for (const { direction, target } of metrics) expect(target === null || direction === 'TARGET').toBe(true);
  }); // prettier-ignore

  it('are listed for one vendor or for all', async () => {
    const query = 'query($vendor: String) { hardwareProfiles(vendor: $vendor) { slug vendor name architecture capabilities } }';
    const slugs = async (vendor?: string | null) =>
      (await ask(query, { vendor })).hardwareProfiles.map(({ slug }: { slug: string }) => slug);
    expect(await slugs('huawei')).toContain('ascend-910b');
    expect(await slugs('amd')).toContain('mi300x');
    expect(await slugs('nvidia')).toEqual(expect.arrayContaining(['h100-sxm', 'h200-sxm', 'gb200-nvl72']));
    expect(await slugs('nvidia')).not.toContain('mi300x');
    expect(await slugs(null)).toHaveLength(await app.db.hardwareProfile.count());
    for (const vendor of ['', 'NVIDIA', "' OR 1=1"]) expect(await slugs(vendor)).toEqual([]);
    const { hardwareProfiles } = await ask(query, { vendor: 'amd' });
    expect(hardwareProfiles[0]).toMatchObject({ name: 'MI300X', architecture: 'cdna3', capabilities: expect.arrayContaining(['rocm']) });
  }); // prettier-ignore
});
