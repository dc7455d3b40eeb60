import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { assess } from '../support/own-audit.js';

const EXPORT = `query($id: ID!, $format: ExportFormat!, $locale: Locale) {
  auditExport(id: $id, format: $format, locale: $locale) { fileName mediaType content }
}`;
const WATERFALL = `query($id: ID!, $metric: String) {
  audit(id: $id) {
    endToEndTrial { id }
    waterfall(metric: $metric) {
      metric { key } dimensions gain gainLow gainHigh difference threshold disagrees remarks { en zh }
      steps {
        auditItem { item { key } } trial { id } gain verdict evidence proof isConfounded startsElsewhere
        medianBefore medianAfter threshold
      }
      notCounted { auditItem { item { key } } verdict gain }
      endToEnd { source gain gainLow gainHigh verdict evidence trial { id } }
    }
  }
}`;
const SET = `mutation($input: SetEndToEndTrialInput!) { setEndToEndTrial(input: $input) { id version endToEndTrial { id } } }`;
const RECORD = `mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id verdict } }`;

const metric = 'training.throughput';
const base = [100, 101, 99, 100.5];
const times = (factor: number) => base.map((value) => value * factor);

let app: TestApp;
let audit: given.GivenAudit;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  audit = await given.audit(app.db);
});
afterAll(() => app.close());

async function record(key: string, before: number[], after: number[], change: object = {}): Promise<string> {
  const { data, errors } = await app.as(audit.contributor).send(RECORD, {
    input: { auditItemId: audit.item(key).id, metric, before, after, sampling: 'SEPARATE_SESSIONS', ...change },
  });
  expect(errors).toEqual([]);
  return data.recordMeasurement.id;
}

async function apply(key: string, before: number[], after: number[], change: object = {}): Promise<string> {
  await assess(app, audit.contributor, audit.item(key).id, { outcome: 'APPLIED' });
  return record(key, before, after, change);
}

async function waterfalls(variables: object = {}, viewer: { id: string } = audit.viewer) {
  const { data, errors } = await app.as(viewer).send(WATERFALL, { id: audit.audit.id, ...variables });
  expect(errors).toEqual([]);
  return data.audit.waterfall;
}

describe('Audit.waterfall', () => {
  it('multiplies the gains of the applied items in the order of measurement', async () => {
    const first = await apply('precision/tf32', base, times(1.1));
    const second = await apply('precision/bf16', times(1.1), times(1.21));
    await assess(app, audit.contributor, audit.item('precision/mixed-precision').id, { outcome: 'DEFERRED' });
    await record('precision/mixed-precision', base, times(2));
    const [one, ...others] = await waterfalls();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      metric: { key: metric },
      dimensions: {},
      threshold: 0.02,
      disagrees: false,
      notCounted: [],
      steps: [
        {
          auditItem: { item: { key: 'precision/tf32' } },
          trial: { id: first },
          verdict: 'IMPROVED',
          proof: 'VERIFIED',
        },
        { auditItem: { item: { key: 'precision/bf16' } }, trial: { id: second }, evidence: 'STATISTICAL' },
      ],
      endToEnd: { source: 'FIRST_TO_LAST', trial: null, verdict: null, gainLow: null },
    });
    expect(one.steps.map(({ startsElsewhere }: { startsElsewhere: boolean }) => startsElsewhere)).toEqual([
      false,
      false,
    ]);
    expect(one.steps[0].gain).toBeCloseTo(0.1, 12);
    expect(one.gain).toBeCloseTo(0.21, 12);
    expect(one.endToEnd.gain).toBeCloseTo(0.21, 12);
    expect(one.gainLow).toBeLessThan(0.21);
    expect(one.gainHigh).toBeGreaterThan(0.21);
    expect(one.difference).toBeCloseTo(0, 12);
  });

  it('holds the product against the trial that was named for it, and says when they disagree', async () => {
    await apply('precision/tf32', base, times(1.1));
    await apply('precision/bf16', times(1.1), times(1.21));
    const trialId = await record('precision/bf16', base, times(1.1));
    expect((await waterfalls())[0].steps[1].startsElsewhere).toBe(true);
    const { data, errors } = await app.as(audit.contributor).send(SET, {
      input: { auditId: audit.audit.id, version: 1, trialId },
    });
    expect(errors).toEqual([]);
    expect(data.setEndToEndTrial).toEqual({ id: audit.audit.id, version: 2, endToEndTrial: { id: trialId } });
    const [one] = await waterfalls();
    expect(one).toMatchObject({
      disagrees: true,
      endToEnd: { source: 'TRIAL', trial: { id: trialId }, verdict: 'IMPROVED', evidence: 'STATISTICAL' },
    });
    expect(one.gain).toBeCloseTo(0.21, 12);
    expect(one.endToEnd.gain).toBeCloseTo(0.1, 12);
    expect(one.difference).toBeCloseTo(Math.log(1.1), 12);
    expect(one.remarks.at(-1)).toEqual({
      en: 'The steps multiply to +21.0 %, end to end it is +10.0 %: they are further apart than the threshold of 2 %. Leave one item out and measure again.',
      zh: '各步连乘为 +21.0%，端到端为 +10.0%，二者之差超过阈值 2%。请去掉其中一个条目后重新测量。',
    });
  });

  it('lists what cannot be counted, and leaves out A/A runs and plain metrics of others', async () => {
    await apply('precision/tf32', base, times(1.1));
    await apply('precision/bf16', [100, 120, 80, 101], [101, 119, 82, 103]);
    await record('precision/tf32', base, base, { isControl: true });
    const [one] = await waterfalls({ metric });
    expect(one.steps).toHaveLength(1);
    expect(one.notCounted).toMatchObject([{ auditItem: { item: { key: 'precision/bf16' } }, verdict: 'INCONCLUSIVE' }]);
    expect(one.endToEnd).toBeNull();
    expect(await waterfalls({ metric: 'serving.ttft.mean' })).toEqual([]);
  });

  it('costs as many statements for many trials as for two', async () => {
    const cost = () => app.statementsOf(() => waterfalls());
    await apply('precision/tf32', base, times(1.1));
    await apply('precision/bf16', times(1.1), times(1.21));
    const two = await cost();
    await apply('cuda/streams', times(1.21), times(1.3));
    await apply('cuda/cuda-graphs', times(1.3), times(1.4));
    await apply('cuda/torch-compile', times(1.4), times(1.5));
    expect(await cost()).toBe(two);
  });
});

describe('setEndToEndTrial', () => {
  let trialId: string;
  beforeEach(async () => {
    trialId = await apply('precision/tf32', base, times(1.1));
  });
  const send = (change: object, viewer: { id: string } | null = audit.contributor) =>
    app.as(viewer).send(SET, { input: { auditId: audit.audit.id, version: 1, trialId, ...change } });
  const stored = () => app.db.audit.findUniqueOrThrow({ where: { id: audit.audit.id } });

  it('hides the audit from strangers, and refuses a member without the right', async () => {
    expect((await send({}, audit.stranger)).errorCode).toBe('NOT_FOUND');
    expect((await send({}, null)).errorCode).toBe('UNAUTHENTICATED');
    expect((await send({}, audit.viewer)).errorCode).toBe('FORBIDDEN');
    expect((await stored()).endToEndTrialId).toBeNull();
  });

  it('refuses a closed audit and a stale version', async () => {
    const stale = await send({ version: 7 });
    expect(stale.errorCode).toBe('CONFLICT');
    expect(stale.errors[0]?.extensions['current']).toMatchObject({ id: audit.audit.id, version: 1 });
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { status: 'CLOSED', closedAt: new Date() } });
    expect((await send({})).errorCode).toBe('CONFLICT');
  });

  it('takes only a measured trial of the audit itself', async () => {
    const elsewhere = await given.audit(app.db);
    const other = await app.as(elsewhere.contributor).send(RECORD, {
      input: { auditItemId: elsewhere.item('precision/tf32').id, metric, before: base, after: base },
    });
    expect((await send({ trialId: other.data.recordMeasurement.id })).errorCode).toBe('NOT_FOUND');
    expect((await send({ trialId: 'nonsense' })).errorCode).toBe('NOT_FOUND');
    const plan = await app
      .as(audit.contributor)
      .send('mutation($input: CreateTrialInput!) { createTrial(input: $input) { id } }', {
        input: {
          auditItemId: audit.item('precision/tf32').id,
          primaryMetric: metric,
          variable: ['x'],
          beforeRunIds: [],
          afterRunIds: [],
        },
      });
    expect((await send({ trialId: plan.data.createTrial.id })).errorCode).toBe('INVALID_INPUT');
    const control = await record('precision/tf32', base, base, { isControl: true });
    const chinese = await given.chineseMember(app.db, audit.project.id);
    const refused = await send({ trialId: control }, chinese);
    expect(refused.errorCode).toBe('INVALID_INPUT');
    expect(refused.errors[0]?.message).toBe(`试验“${control}”是 A/A 对照，两组之间没有改动`);
    expect((await stored()).version).toBe(1);
  });

  it('does a repeated request once, and null clears it; the history has both', async () => {
    const clientMutationId = randomUUID();
    await send({ clientMutationId });
    const again = await send({ clientMutationId });
    expect(again.data.setEndToEndTrial).toMatchObject({ version: 2, endToEndTrial: { id: trialId } });
    const cleared = await send({ trialId: null, version: 2 });
    expect(cleared.data.setEndToEndTrial).toMatchObject({ version: 3, endToEndTrial: null });
    const history = await app.db.historyEntry.findMany({
      where: { auditId: audit.audit.id, field: 'endToEndTrial' },
      orderBy: { id: 'asc' },
    });
    expect(history.map(({ before, after }) => [before, after])).toEqual([
      [null, trialId],
      [trialId, null],
    ]);
  });
});

describe('the end-to-end trial', () => {
  const PROOF = `query($id: ID!) {
    audit(id: $id) {
      progress { verified }
      items(filter: { outcome: [APPLIED] }) { edges { node { item { key } proof } } }
      waterfall { steps { auditItem { item { key } } proof gain } endToEnd { source } }
    }
    portfolio { total { verified regressed unverified } verifiedGains { count maxGain } }
  }`;
  const proofs = async (id = audit.audit.id, viewer: { id: string } = audit.contributor) => {
    const { data, errors } = await app.as(viewer).send(PROOF, { id });
    expect(errors).toEqual([]);
    const ofItems = data.audit.items.edges.map(({ node }: { node: { item: { key: string }; proof: string } }) => [
      node.item.key,
      node.proof,
    ]);
    return { ...data, ofItems: Object.fromEntries(ofItems) };
  };
  const name = async (trialId: string | null) => {
    const { version } = await app.db.audit.findUniqueOrThrow({ where: { id: audit.audit.id } });
    const input = { auditId: audit.audit.id, version, trialId };
    expect((await app.as(audit.contributor).send(SET, { input })).errors).toEqual([]);
  };
  let whole: string;
  beforeEach(async () => {
    await apply('precision/tf32', base, times(0.8));
    await apply('precision/bf16', times(0.8), times(1.3));
    whole = await record('precision/tf32', base, times(1.3));
  });

  it('proves nothing of the item that it was recorded on, from when it is named until it no longer is', async () => {
    expect((await proofs()).ofItems).toEqual({ 'precision/tf32': 'VERIFIED', 'precision/bf16': 'VERIFIED' });
    await name(whole);
    const named = await proofs();
    expect(named.ofItems).toEqual({ 'precision/tf32': 'REGRESSED', 'precision/bf16': 'VERIFIED' });
    expect(named.audit.progress).toEqual({ verified: 1 });
    expect(named.audit.waterfall[0].endToEnd).toEqual({ source: 'TRIAL' });
    expect(named.audit.waterfall[0].steps).toMatchObject([
      { auditItem: { item: { key: 'precision/tf32' } }, proof: 'REGRESSED' },
      { auditItem: { item: { key: 'precision/bf16' } }, proof: 'VERIFIED' },
    ]);
    expect(named.audit.waterfall[0].steps[0].gain).toBeCloseTo(-0.2, 12);
    expect(named.portfolio.total).toEqual({ verified: 1, regressed: 1, unverified: 0 });
    expect(named.portfolio.verifiedGains).toEqual([{ count: 1, maxGain: expect.closeTo(0.625, 12) }]);
    await name(null);
    expect((await proofs()).ofItems).toEqual({ 'precision/tf32': 'VERIFIED', 'precision/bf16': 'VERIFIED' });
  });

  it('leaves an item without a trial of its own unverified, in reports and milestones too', async () => {
    await assess(app, audit.contributor, audit.item('cuda/streams').id, { outcome: 'APPLIED' });
    await name(await record('cuda/streams', base, times(1.3)));
    expect((await proofs()).ofItems['cuda/streams']).toBe('UNVERIFIED');
    const { data } = await app
      .as(audit.contributor)
      .send('mutation($input: CreateMilestoneInput!) { createMilestone(input: $input) { id } }', {
        input: { auditId: audit.audit.id, name: 'Now' },
      });
    const milestone = await app.db.milestone.findUniqueOrThrow({ where: { id: data.createMilestone.id } });
    const kept = (milestone.snapshot as { items: { key: string; proof: string; verdict: unknown }[] }).items;
    expect(kept.find(({ key }) => key === 'cuda/streams')).toMatchObject({ proof: 'UNVERIFIED', verdict: null });
    const exported = await app.as(audit.viewer).send(EXPORT, { id: audit.audit.id, format: 'CSV', locale: 'EN' });
    const row = exported.data.auditExport.content.split('\n').find((line: string) => line.startsWith('cuda/streams,'));
    expect(row).toContain(',unverified,,,,,');
  });

  it('proves nothing in an audit that is read back from its export', async () => {
    await name(whole);
    const { data } = await app.as(audit.contributor).send(EXPORT, { id: audit.audit.id, format: 'JSON' });
    const { content } = data.auditExport;
    const other = await app
      .as(audit.maintainer)
      .send(
        'mutation($input: ImportAuditInput!) { importAudit(input: $input) { audit { id } problems { place message } } }',
        { input: { projectId: audit.project.id, content } },
      );
    const places = other.data.importAudit.problems.map(({ place }: { place: string }) => place);
    expect(places.filter((place: string) => /proof|verified/i.test(place))).toEqual([]);
    expect((await proofs(other.data.importAudit.audit.id, audit.viewer)).ofItems).toEqual({
      'precision/tf32': 'REGRESSED',
      'precision/bf16': 'VERIFIED',
    });
  });
});

describe('auditExport as a report', () => {
  async function exported(format: string, locale: string | undefined, viewer: { id: string } = audit.viewer) {
    const { data, errors } = await app.as(viewer).send(EXPORT, { id: audit.audit.id, format, locale });
    expect(errors).toEqual([]);
    return data.auditExport;
  }
  beforeEach(async () => {
    await apply('precision/tf32', base, times(1.1));
    await apply('precision/bf16', times(1.1), times(1.21), { environmentAfter: { driver: '580' } });
    await assess(app, audit.contributor, audit.item('precision/tf32').id, { work: 'DONE', remark: '# Not a heading' });
    await assess(app, audit.contributor, audit.item('cuda/streams').id, {
      outcome: 'REJECTED',
      reasonCode: 'TOO_RISKY',
      reason: '<script>alert(1)</script>',
    });
  });

  it('gives Markdown in both languages, with the numbers that the API gives', async () => {
    const { data } = await app
      .as(audit.viewer)
      .send('query($id: ID!) { audit(id: $id) { progress { total applicable assessed done verified } } }', {
        id: audit.audit.id,
      });
    expect(data.audit.progress).toEqual({ total: 180, applicable: 180, assessed: 3, done: 1, verified: 1 });
    const en = await exported('MARKDOWN', 'EN');
    expect(en).toMatchObject({ mediaType: 'text/markdown', fileName: expect.stringMatching(/\.md$/) });
    const lines: string[] = en.content.split('\n');
    expect(lines).toContain(
      'Of 180 items 180 apply or may apply. Of these 3 are assessed (2 %), 1 done (1 %) and 1 verified by measurements (1 %).',
    );
    expect(lines.filter((line) => line.startsWith('| All |'))).toEqual(['| All | 180 | 180 | 3 | 1 | 1 | 2 % |']);
    expect(lines).toContain('> \\# Not a heading');
    expect(lines.find((line) => line.includes('<script>'))).toMatch(
      / \| rejected \(too risky\) \| \\<script>alert\(1\)\\<\/script> \| – \|$/,
    );
    const at = lines.indexOf('Next by the plan:');
    expect(at).toBeGreaterThan(lines.indexOf('## Summary'));
    expect(lines.slice(at + 2, at + 8).map((line) => line.slice(0, 2))).toEqual(['- ', '- ', '- ', '- ', '- ', '']);
    const zh = (await exported('MARKDOWN', 'ZH')).content;
    expect(zh.split('\n')).toContain(
      '共 180 个条目，其中 180 个适用或可能适用：已评估 3 个（2%），已完成 1 个（1%），经测量验证 1 个（1%）。',
    );
    expect(zh).toContain('## 已应用条目的收益累计');
    expect(zh).toContain('有混杂因素');
  });

  it('gives a page in both languages that loads and runs nothing', async () => {
    for (const [locale, lang] of [['EN', 'en'], ['ZH', 'zh-Hans']] as const) {
      const { content, mediaType, fileName } = await exported('HTML', locale);
      expect(mediaType).toBe('text/html');
      expect(fileName).toMatch(/\.html$/);
      expect(content).toContain(`<html lang="${lang}">`);
      expect(content).not.toMatch(/<script|<img|<link|<iframe|<style[^>]*src|@import|url\(/i);
      expect(content).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(content.match(/<h1>/g)).toHaveLength(1);
    }
  }); // prettier-ignore

  it('gives a row for each item, in both languages', async () => {
    const en = (await exported('CSV', 'EN')).content;
    expect(en.startsWith('\uFEFFKey,Section,Title,')).toBe(true);
    expect(en.split('\n').filter((line: string) => /^[a-z-]+\/[a-z0-9-]+,/.test(line))).toHaveLength(180);
    const chinese = await given.chineseMember(app.db, audit.project.id, 'VIEWER');
    const zh = (await exported('CSV', undefined, chinese)).content;
    expect(zh.startsWith('\uFEFF键,章节,标题,')).toBe(true);
    expect(zh).toContain(',已否决,风险过大,');
  });

  it('is for whoever may read the audit, closed or not', async () => {
    const { errorCode } = await app.as(audit.stranger).send(EXPORT, { id: audit.audit.id, format: 'HTML' });
    expect(errorCode).toBe('NOT_FOUND');
    await app.db.audit.update({ where: { id: audit.audit.id }, data: { status: 'CLOSED', closedAt: new Date() } });
    const { content } = await exported('MARKDOWN', 'EN');
    expect(content).toContain('- **Status**: closed, ');
    expect(content).not.toContain('Next by the plan');
    expect((await exported('HTML', 'ZH')).content).toContain('<td>已关闭，');
  });

  it('says what is next as the plan says it', async () => {
    const { data } = await app
      .as(audit.viewer)
      .send(
        'query($id: ID!) { audit(id: $id) { plan(first: 5) { edges { node { auditItem { item { key } } explanation { zh } } } } } }',
        {
          id: audit.audit.id,
        },
      );
    const html = (await exported('HTML', 'ZH')).content;
    const [, list = ''] = /<p>按计划接下来：<\/p>\n<ul>(.*?)<\/ul>/.exec(html) ?? [];
    const shown = [...list.matchAll(/<code>([a-z-]+\/[a-z0-9-]+)<\/code>：(.*?)<\/li>/g)];
    const nodes = data.audit.plan.edges.map(({ node }: { node: object }) => node);
    expect(shown.map(([, key]) => key)).toEqual(
      nodes.map((node: { auditItem: { item: { key: string } } }) => node.auditItem.item.key),
    );
    expect(shown[0]?.[2]?.split('；').length).toBeGreaterThanOrEqual(nodes[0].explanation.length);
  });

  it('needs at most 20 statements, whatever the format', async () => {
    for (const format of ['JSON', 'MARKDOWN', 'HTML', 'CSV']) {
      expect(await app.statementsOf(() => exported(format, 'EN'))).toBeLessThanOrEqual(20);
    }
  });

  it('has no secrets of what came in from a file: planned changes, history and milestones', async () => {
    const token = 'hf_abcdefghijklmnopqrstuvwx';
    const file = JSON.parse((await exported('JSON', undefined, audit.contributor)).content);
    file.items[0].plannedChange = { 'env.HF_TOKEN': { before: 'unset', after: token }, args: `--key ${token}` };
    file.history[0].after = { facts: { 'env.HF_TOKEN': token, hostname: 'gpu-7.corp' } };
    await app
      .as(audit.maintainer)
      .send('mutation($input: CreateMilestoneInput!) { createMilestone(input: $input) { id } }', {
        input: { auditId: audit.audit.id, name: 'Now' },
      });
    const { milestones } = JSON.parse((await exported('JSON', undefined, audit.contributor)).content);
    file.milestones = milestones;
    file.milestones[0].snapshot.scope.facts = { 'env.HF_TOKEN': token, hostname: 'gpu-7.corp', torch: '2.8' };
    const { data, errors } = await app
      .as(audit.maintainer)
      .send('mutation($input: ImportAuditInput!) { importAudit(input: $input) { audit { id } } }', {
        input: { projectId: audit.project.id, content: JSON.stringify(file) },
      });
    expect(errors).toEqual([]);
    const { id } = data.importAudit.audit;
    const kept = await app.db.milestone.findFirstOrThrow({ where: { auditId: id } });
    expect(kept.snapshot).toMatchObject({ scope: { facts: { torch: '2.8' } } });
    for (const table of [
      await app.db.milestone.findMany({ where: { auditId: id } }),
      await app.db.auditItem.findMany({ where: { auditId: id } }),
      await app.db.historyEntry.findMany({ where: { auditId: id } }),
    ])
      expect(JSON.stringify(table)).not.toMatch(/hf_abc|gpu-7/);
    for (const format of ['JSON', 'MARKDOWN', 'HTML', 'CSV']) {
      const of = await app.as(audit.viewer).send(EXPORT, { id, format, locale: 'EN' });
      expect(of.data.auditExport.content).not.toMatch(/hf_abc|gpu-7/);
    }
    // What was stored before it was cleaned is cleaned on its way out
    await app.db.auditItem.update({
      where: { id: audit.item('cuda/streams').id },
      data: { plannedChange: { 'env.HF_TOKEN': token } },
    });
    for (const format of ['JSON', 'MARKDOWN', 'HTML', 'CSV'])
      expect((await exported(format, 'EN')).content).not.toContain(token);
  });

  it('stands whole whatever people write', async () => {
    const hostile = '<!-- \n\n<script>alert(1)</script>\n\n# Heading\n\n</blockquote></main>\n\n```\nopen';
    const item = audit.item('cuda/streams').id;
    await app.as(audit.contributor).send('mutation($input: AddCommentInput!) { addComment(input: $input) { id } }', {
      input: { auditItemId: item, body: hostile },
    });
    await app.db.audit.update({
      where: { id: audit.audit.id },
      data: { title: '<script>x</script> https://evil.example #' },
    });
    for (const locale of ['EN', 'ZH']) {
      const { content } = await exported('MARKDOWN', locale);
      const tokens = new MarkdownIt({ html: true, linkify: true }).parse(content, {});
      expect(tokens.filter(({ type }) => type === 'html_block')).toEqual([]);
      const inline = tokens.flatMap(({ children }) => children ?? []);
      // Line breaks of cells alone
      expect(inline.filter(({ type, content: tag }) => type === 'html_inline' && tag !== '<br>')).toEqual([]);
      expect(inline.filter(({ type }) => type === 'link_open')).toEqual([]);
      expect(tokens.filter(({ type, level }) => type === 'heading_open' && level > 0)).toEqual([]);
      const html = (await exported('HTML', locale)).content;
      expect(html).not.toMatch(/<script|<!-- |<\/main>[^<]*<\/blockquote>/);
      expect(html.match(/<\/main>/g)).toHaveLength(1);
    }
  });
});
