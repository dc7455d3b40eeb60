import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { assess, open, ownAudit, type OwnAudit, type OwnItem } from '../support/own-audit.js';

const WARNINGS = `query($id: ID!) {
  audit(id: $id) {
    warnings { code message { en zh } auditItem { item { key } } other { item { key } } }
    items(first: 500) { edges { node { item { key } warnings { code message { en zh } other { id } } } } }
  }
}`;
const OVERRULE = 'mutation($input: OverruleApplicabilityInput!) { overruleApplicability(input: $input) { id } }';

const reason = { en: 'Both want the whole cache', zh: '两者都要占用整个缓存' };
const because = (key: string) => ({ [`rig/${key}`]: reason });
const rig: readonly OwnItem[] = [
  { key: 'a', relations: { conflictsWith: ['rig/b'], because: because('b') } },
  { key: 'b' },
  { key: 'user', relations: { requires: ['rig/base'], because: because('base') } },
  { key: 'base' },
  { key: 'new', relations: { supersedes: ['rig/old'], because: because('old') }, applicability: { vendor: 'nvidia' } },
  { key: 'old' },
  { key: 'workaround', applicability: { nccl: { version: '<2.25' } } },
];
const machine = { hardware: 'h200-sxm', facts: { nccl: '2.24.3' } };
const applied = { outcome: 'APPLIED', work: 'DONE' };
const rejected = { outcome: 'REJECTED', reasonCode: 'OTHER', reason: 'No' };

interface Message {
  readonly en: string;
  readonly zh: string;
}
interface Warning {
  readonly code: string;
  readonly message: Message;
  readonly auditItem: { readonly item: { readonly key: string } };
  readonly other: { readonly item: { readonly key: string } } | null;
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function assessed(made: OwnAudit, changes: Readonly<Record<string, object>>): Promise<void> {
  for (const [key, change] of Object.entries(changes)) {
    await assess(app, made.contributor, (await made.item(key)).id, change);
  }
}

const short = (key: string | undefined) => key?.replace('rig/', '') ?? null;

/** The warnings of an audit: code, item, other item and text; those of the single items are the same. */
async function warningsOf({ auditId, viewer }: { auditId: string; viewer: { id: string } }) {
  const { data, errors } = await app.as(viewer).send(WARNINGS, { id: auditId });
  expect(errors).toEqual([]);
  const warnings: readonly Warning[] = data.audit.warnings;
  const ofItems = data.audit.items.edges.flatMap(
    ({ node }: { node: { item: { key: string }; warnings: { code: string; message: Message }[] } }) =>
      node.warnings.map(({ code, message }) => [code, node.item.key, message]),
  );
  expect(ofItems).toEqual(warnings.map(({ code, auditItem, message }) => [code, auditItem.item.key, message]));
  return warnings.map(
    ({ code, message, auditItem, other }) =>
      [code, short(auditItem.item.key), short(other?.item.key), message.en, message.zh] as const,
  );
}

describe('items that exclude each other', () => {
  it('are warned of on both sides, with the reason, where one is in place and somebody is at the other', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, { a: applied, b: { work: 'IN_PROGRESS' } });
    const conflict = [
      ['CONFLICTING', 'a', 'b', 'conflicts with “The b”, which is being worked on: Both want the whole cache', '与“条目 b”（进行中）冲突：两者都要占用整个缓存'],
      ['CONFLICTING', 'b', 'a', 'conflicts with “The a”, which is applied: Both want the whole cache', '与“条目 a”（已应用）冲突：两者都要占用整个缓存'],
    ]; // prettier-ignore
    expect(await warningsOf(made)).toEqual(conflict);
    await assessed(made, { b: { outcome: 'ALREADY_IN_PLACE', work: 'DONE' } });
    expect((await warningsOf(made)).map(([, item, , en]) => [item, en])).toEqual([
      ['a', 'conflicts with “The b”, which is in place already: Both want the whole cache'],
      ['b', 'conflicts with “The a”, which is applied: Both want the whole cache'],
    ]);
  });

  it.each([
    ['both are only being worked on', { a: { work: 'IN_PROGRESS' }, b: { work: 'IN_PROGRESS' } }],
    ['nobody is at the other', { a: applied }],
    ['the other is rejected', { a: applied, b: { ...rejected, work: 'IN_PROGRESS' } }],
    ['the other is deferred', { a: applied, b: { outcome: 'DEFERRED', work: 'IN_REVIEW' } }],
    ['the other is not applicable', { a: applied, b: { ...rejected, outcome: 'NOT_APPLICABLE', work: 'DONE' } }],
  ])('are not warned of where %s', async (_, changes) => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, changes);
    expect(await warningsOf(made)).toEqual([]);
  });

  it('are warned of once where both say so', async () => {
    const made = await ownAudit(
      app,
      [
        { key: 'a', relations: { conflictsWith: ['rig/b'] } },
        { key: 'b', relations: { conflictsWith: ['rig/a'], because: because('a') } },
      ],
      machine,
    );
    await assessed(made, { a: applied, b: applied });
    expect((await warningsOf(made)).map(([code, item, other, en]) => [code, item, other, en])).toEqual([
      ['CONFLICTING', 'a', 'b', 'conflicts with “The b”, which is applied: Both want the whole cache'],
      ['CONFLICTING', 'b', 'a', 'conflicts with “The a”, which is applied: Both want the whole cache'],
    ]);
  });
});

describe('an item that needs another one', () => {
  const en = (state: string) => `needs “The base” first, which ${state}: Both want the whole cache`;
  const zh = (state: string) => `须先具备“条目 base”，而该条目${state}：两者都要占用整个缓存`;

  it.each([
    ['is not assessed', '尚未评估', {}],
    ['is not assessed', '尚未评估', { base: { work: 'IN_PROGRESS' } }],
    ['was rejected', '已被否决', { base: rejected }],
    ['is deferred', '已推迟', { base: { outcome: 'DEFERRED' } }],
  ])('is warned of where that one %s', async (state, chinese, changes) => {
    const made = await ownAudit(app, rig, machine);
    const expected = [['REQUIRED_MISSING', 'user', 'base', en(state), zh(chinese)]];
    await assessed(made, { ...changes, user: { work: 'IN_PROGRESS' } });
    expect(await warningsOf(made)).toEqual(expected);
    await assessed(made, { user: applied });
    expect(await warningsOf(made)).toEqual(expected);
  });

  it.each([
    ['that one is applied', { user: applied, base: applied }],
    ['that one is in place already', { user: applied, base: { outcome: 'ALREADY_IN_PLACE' } }],
    ['a person says that it does not apply', { user: applied, base: { ...rejected, outcome: 'NOT_APPLICABLE' } }],
    ['nobody is at it', { base: { outcome: 'DEFERRED' } }],
    ['it is rejected', { user: { ...rejected, work: 'IN_PROGRESS' } }],
  ])('is not warned of where %s', async (_, changes) => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, changes);
    expect(await warningsOf(made)).toEqual([]);
  });

  it('is not warned of where the rules, or a person over them, say that the other one does not apply', async () => {
    const items: readonly OwnItem[] = [
      { key: 'user', relations: { requires: ['rig/amd', 'rig/base', 'rig/unknown'] } },
      { key: 'amd', applicability: { vendor: 'amd' } },
      { key: 'base' },
      { key: 'unknown', applicability: { torch: { version: '>=2.8' } } },
    ];
    const made = await ownAudit(app, items, machine);
    await assessed(made, { user: applied });
    const missing = async () => (await warningsOf(made)).map(([, , other, text]) => [other, text]);
    expect(await missing()).toEqual([
      ['base', 'needs “The base” first, which is not assessed'],
      ['unknown', 'needs “The unknown” first, which is not assessed'],
    ]);
    const { id, version } = await made.item('base');
    const input = { id, version, answer: 'NO', reason: 'Another machine does it' };
    expect((await app.as(made.contributor).send(OVERRULE, { input })).errors).toEqual([]);
    expect((await missing()).map(([other]) => other)).toEqual(['unknown']);
  });
});

describe('an item that another one replaces', () => {
  it('is warned of where it is in place or somebody is at it', async () => {
    const made = await ownAudit(app, rig, machine);
    expect(await warningsOf(made)).toEqual([]);
    for (const change of [{ work: 'IN_PROGRESS' }, applied]) {
      await assessed(made, { old: change });
      expect(await warningsOf(made)).toEqual([
        ['SUPERSEDED', 'old', 'new', '“The new” replaces it: Both want the whole cache', '已由“条目 new”取代：两者都要占用整个缓存'],
      ]); // prettier-ignore
    }
  });

  it.each([
    ['the new one is rejected', { old: applied, new: rejected }, machine],
    ['the new one is deferred', { old: applied, new: { outcome: 'DEFERRED' } }, machine],
    ['the new one does not apply', { old: applied }, { ...machine, hardware: 'mi300x' }],
    ['it is rejected itself', { old: { ...rejected, work: 'DONE' } }, machine],
  ])('is not warned of where %s', async (_, changes, on) => {
    const made = await ownAudit(app, rig, on);
    await assessed(made, changes);
    expect(await warningsOf(made)).toEqual([]);
  });
});

describe('a workaround', () => {
  it('is warned of where it is in place and a version is newer than its range', async () => {
    const made = await ownAudit(app, rig, machine);
    await assessed(made, { workaround: applied });
    expect(await warningsOf(made)).toEqual([]);
    const update = async (version: number, nccl: string) => {
      const { errors } = await app
        .as(made.maintainer)
        .send('mutation($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { auditCount } }', {
          input: { id: made.environment.id, version, factChanges: { nccl } },
        });
      expect(errors).toEqual([]);
    };
    await update(1, '2.27.3');
    const expected = [
      'NO_LONGER_NEEDED',
      'workaround',
      null,
      'a workaround that is no longer needed: NCCL must be version <2.25; it is 2.27.3',
      '该规避措施已不再需要：NCCL 版本须满足 <2.25，实际为 2.27.3',
    ];
    expect(await warningsOf(made)).toEqual([expected]);
    await assessed(made, { workaround: { outcome: 'ALREADY_IN_PLACE' } });
    expect(await warningsOf(made)).toEqual([expected]);
    await assessed(made, { workaround: rejected });
    expect(await warningsOf(made)).toEqual([]);
    await assessed(made, { workaround: applied });
    await update(2, '2.23.4');
    expect(await warningsOf(made)).toEqual([]);
  });
});

describe('the warnings of an audit', () => {
  it('come in the order of the checklist, one item with several', async () => {
    const items: readonly OwnItem[] = [
      { key: 'base' },
      { key: 'late', relations: { requires: ['rig/base'], conflictsWith: ['rig/first'], supersedes: ['rig/first'] } },
      { key: 'first', relations: { requires: ['rig/base'] } },
    ];
    const made = await ownAudit(app, items, machine);
    await assessed(made, { late: applied, first: applied });
    expect((await warningsOf(made)).map(([code, item, other]) => [code, item, other])).toEqual([
      ['CONFLICTING', 'late', 'first'],
      ['REQUIRED_MISSING', 'late', 'base'],
      ['CONFLICTING', 'first', 'late'],
      ['SUPERSEDED', 'first', 'late'],
      ['REQUIRED_MISSING', 'first', 'base'],
    ]);
  });

  it('say nothing of items of other checklists, nor of those that the checklist does not have', async () => {
    const elsewhere = ['ai-systems-performance:precision/bf16', 'rig/gone'];
    const items: readonly OwnItem[] = [
      { key: 'a', relations: { requires: elsewhere, conflictsWith: elsewhere, supersedes: elsewhere } },
    ];
    const made = await ownAudit(app, items, machine);
    await assessed(made, { a: applied });
    expect(await warningsOf(made)).toEqual([]);
  });

  it('say nothing of an item that names itself', async () => {
    const itself = ['rig/a'];
    const items: readonly OwnItem[] = [
      { key: 'a', relations: { requires: itself, conflictsWith: itself, supersedes: itself } },
    ];
    const made = await ownAudit(app, items, machine);
    await assessed(made, { a: { work: 'IN_PROGRESS' } });
    expect(await warningsOf(made)).toEqual([]);
    await assessed(made, { a: applied });
    expect(await warningsOf(made)).toEqual([]);
  });

  it('are in the language that the item has, where it has one', async () => {
    const items: readonly OwnItem[] = [
      { key: 'a', title: { zh: '石板' }, relations: { conflictsWith: ['rig/b'], because: { 'rig/b': { en: 'Too hot' } } } },
      { key: 'b', title: { en: 'Steam' } },
    ]; // prettier-ignore
    const made = await ownAudit(app, items, machine);
    await assessed(made, { a: applied, b: applied });
    expect((await warningsOf(made)).map(([, item, , en, zh]) => [item, en, zh])).toEqual([
      ['a', 'conflicts with “Steam”, which is applied: Too hot', '与“Steam”（已应用）冲突：Too hot'],
      ['b', 'conflicts with “石板”, which is applied: Too hot', '与“石板”（已应用）冲突：Too hot'],
    ]);
  });

  it('give the reasons of a shipped checklist', async () => {
    const team = await given.project(app.db);
    const auditId = await open(app, team, 'application-level');
    const keys = ['inference/continuous-batching', 'inference/triton-dynamic-batching'] as const;
    for (const key of keys) {
      const { id } = await app.db.auditItem.findFirstOrThrow({ where: { auditId, releaseItem: { key } } });
      await assess(app, team.contributor, id, applied);
    }
    const { data } = await app
      .as(null)
      .send(
        'query($key: String!) { item(checklist: "application-level", key: $key) { relations { conflictsWith reasons { item reason { en zh } } } } }',
        { key: keys[0] },
      );
    const { conflictsWith, reasons } = data.item.relations;
    expect(conflictsWith).toEqual([keys[1]]);
    const why: Message = reasons.find(({ item }: { item: string }) => item === keys[1]).reason;
    const conflicts = (await warningsOf({ auditId, viewer: team.viewer })).filter(([code]) => code === 'CONFLICTING');
    expect(conflicts.map(([, item, other]) => [item, other])).toEqual(
      conflicts.length === 2 ? [[keys[0], keys[1]], [keys[1], keys[0]]] : [],
    ); // prettier-ignore
    for (const [, , , en, zh] of conflicts) {
      expect(en).toContain(`, which is applied: ${why.en}`);
      expect(zh).toContain(`（已应用）冲突：${why.zh}`);
    }
  });

  it('cost the page of an audit the same few statements, however many there are', async () => {
    const many: OwnItem[] = Array.from({ length: 60 }, (_, index) => ({
      key: `item-${index}`,
      relations: { conflictsWith: [`rig/item-${(index + 1) % 60}`], requires: [`rig/item-${(index + 30) % 60}`] },
    }));
    const made = await ownAudit(app, many, machine);
    await app.db.auditItem.updateMany({
      where: { auditId: made.auditId },
      data: { outcome: 'APPLIED', overruled: 'YES', overruleReason: 'x', overruledById: made.maintainer.id },
    });
    const page = (first: number, ofAudit: string, ofItem: string) => async () => {
      const { data, errors } = await app.as(made.viewer).send(
        `query($id: ID!, $first: Int) { audit(id: $id) {
           title progress { assessed } ${ofAudit}
           items(first: $first) { edges { node { id version item { key title { text } } ${ofItem} } } }
         } }`,
        { id: made.auditId, first },
      );
      expect(errors).toEqual([]);
      return data.audit;
    };
    const warning = 'code message { text } auditItem { item { key } } other { item { key title { text } } }';
    const withWarnings = (first: number) => page(first, `warnings { ${warning} }`, `warnings { ${warning} } overruling { by }`);
    const { warnings, items } = await withWarnings(500)();
    expect(warnings).toHaveLength(100);
    expect(items.edges.map(({ node }: { node: { warnings: unknown[] } }) => node.warnings.length)).toEqual(many.map(() => 2));
    const without = await app.statementsOf(page(500, '', ''));
    const [few, all] = [await app.statementsOf(withWarnings(2)), await app.statementsOf(withWarnings(500))];
    expect(all).toBeLessThanOrEqual(few);
    expect(all - without).toBe(5);
  }); // prettier-ignore
});
