import { describe, expect, it } from '@jest/globals';
import type { Answer, Applies } from '../applicability/evaluate.js';
import type { Vocabulary } from '../applicability/reasons.js';
import type { EnvironmentDifference } from '../measurement/environment-diff.js';
import { joinedCause, scopeChange, type ScopedItem, type ScopeEffect } from './rescope.js';

const names: Readonly<Record<string, { en: string; zh: string }>> = {
  torch: { en: 'PyTorch', zh: 'PyTorch' },
  'gpu.count': { en: 'GPU count', zh: 'GPU 总数' },
  'gpu.sku': { en: 'GPU model', zh: 'GPU 型号' },
  nvlink: { en: 'NVLink', zh: 'NVLink' },
};
const nameOf = (key: string) => names[key] ?? { en: key, zh: key };
const vocabulary: Vocabulary = { capabilityName: nameOf, factName: nameOf };

/** An item that asks for a version of PyTorch, a number of GPUs, and NVLink. */
const keys = { all: new Set(['torch', 'gpu.count', 'capability.nvlink']), versions: new Set(['torch']) };
const item: ScopedItem = {
  applies: 'YES',
  overruled: null,
  isPast: false,
  outcome: 'NOT_ASSESSED',
  isMeasured: false,
  keys,
};
const says = (answer: Applies, changes: Partial<Answer> = {}): Answer => ({
  answer,
  reasons: [{ en: `because it is ${answer}`, zh: `因为是 ${answer}` }],
  isPast: false,
  missing: [],
  ...changes,
});
const differs = (
  key: string,
  before: string | null,
  after: string | null,
  tier: EnvironmentDifference['tier'] = 'WARN',
): EnvironmentDifference => ({ key, before, after, tier, isDeclared: false });

const torch = differs('torch', '2.8.0', '2.11.0');
const gpus = differs('gpu.count', '8', '1', 'BLOCK');
const model = differs('gpu.sku', 'H100', 'H200', 'BLOCK');
const driver = differs('driver', '550', '580');

const change = (of: Partial<ScopedItem>, next: Answer, ...differences: readonly EnvironmentDifference[]) =>
  scopeChange({ ...item, ...of }, next, differences, vocabulary);

describe('scopeChange, what it does to an item', () => {
  it.each<[Applies, Applies | null, Applies, readonly ScopeEffect[]]>([
    ['YES', null, 'YES', []],
    ['YES', null, 'UNKNOWN', ['ANSWER_CHANGED']],
    ['UNKNOWN', null, 'YES', ['ANSWER_CHANGED']],
    ['YES', null, 'NO', ['GOES_OUT']],
    ['UNKNOWN', null, 'NO', ['GOES_OUT']],
    ['NO', null, 'YES', ['COMES_IN']],
    ['NO', null, 'UNKNOWN', ['COMES_IN']],
    ['NO', null, 'NO', []],
    // what a person said stays; where the rules turn against it the person is to look again
    ['YES', 'NO', 'YES', []],
    ['YES', 'NO', 'UNKNOWN', []],
    ['YES', 'NO', 'NO', []],
    ['NO', 'NO', 'YES', ['RECHECK']],
    ['YES', 'YES', 'NO', ['RECHECK']],
    ['UNKNOWN', 'YES', 'NO', ['RECHECK']],
    ['NO', 'YES', 'YES', []],
    ['NO', 'YES', 'UNKNOWN', []],
    ['UNKNOWN', 'YES', 'YES', []],
    ['UNKNOWN', 'UNKNOWN', 'YES', []],
    ['NO', 'UNKNOWN', 'YES', []],
  ])('from %s, overruled %s, to %s without a result: %j', (applies, overruled, answer, effects) => {
    expect(change({ applies, overruled }, says(answer), gpus).effects).toEqual(effects);
  });

  it.each<[Applies, Applies, readonly ScopeEffect[]]>([
    ['YES', 'UNKNOWN', ['ANSWER_CHANGED']],
    ['YES', 'NO', ['GOES_OUT', 'RECHECK']],
    ['NO', 'YES', ['COMES_IN', 'RECHECK']],
    ['NO', 'NO', []],
  ])('from %s to %s with a result: %j', (applies, answer, effects) => {
    expect(change({ applies, outcome: 'REJECTED' }, says(answer), gpus).effects).toEqual(effects);
  });

  it('asks to look at a result again where a version that it bounds is another one', () => {
    expect(change({ outcome: 'APPLIED' }, says('YES'), torch)).toEqual({
      effects: ['RECHECK'],
      recheck: {
        en: 'PyTorch was 2.8.0, is 2.11.0; the result is from before',
        zh: 'PyTorch 由 2.8.0 变为 2.11.0；原有结论得自变更之前',
      },
    });
    expect(change({ outcome: 'APPLIED' }, says('YES'), driver, gpus)).toEqual({ effects: [], recheck: null });
    expect(change({ outcome: 'NOT_ASSESSED' }, says('YES'), torch)).toEqual({ effects: [], recheck: null });
    expect(change({ outcome: 'REJECTED', applies: 'NO' }, says('NO'), torch)).toEqual({ effects: [], recheck: null });
  });

  it('asks to look at it again where it was measured on another machine', () => {
    expect(change({ outcome: 'APPLIED', isMeasured: true }, says('YES'), model, driver)).toEqual({
      effects: ['RECHECK'],
      recheck: {
        en: 'GPU model was H100, is H200; it was measured before that',
        zh: 'GPU 型号由 H100 变为 H200；原有测量是变更之前做的',
      },
    });
    expect(change({ isMeasured: true }, says('YES'), model)).toEqual({ effects: [], recheck: null });
  });

  it.each([
    ['learned', differs('torch', null, '2.11.0')],
    ['lost', differs('torch', '2.8.0', null)],
    ['learned of the hardware', differs('gpu.sku', null, 'H200', 'BLOCK')],
  ])('takes a fact that was %s for no change of the machine', (_, difference) => {
    expect(change({ outcome: 'APPLIED', isMeasured: true }, says('YES'), difference)).toEqual({
      effects: [],
      recheck: null,
    });
  });

  it.each<[ScopedItem['outcome'], boolean, readonly ScopeEffect[]]>([
    ['APPLIED', false, ['GOES_OUT', 'RECHECK', 'NO_LONGER_NEEDED']],
    ['ALREADY_IN_PLACE', false, ['GOES_OUT', 'RECHECK', 'NO_LONGER_NEEDED']],
    ['APPLIED', true, ['GOES_OUT', 'RECHECK']],
    ['REJECTED', false, ['GOES_OUT', 'RECHECK']],
    ['NOT_ASSESSED', false, ['GOES_OUT']],
  ])('tells of a workaround that is no longer needed: %s, past before: %s', (outcome, isPast, effects) => {
    expect(change({ outcome, isPast }, says('NO', { isPast: true }), torch).effects).toEqual(effects);
  });
});

describe('scopeChange, the cause of a re-check', () => {
  const applied: Partial<ScopedItem> = { outcome: 'APPLIED' };

  it.each<[string, Partial<ScopedItem>, Answer, string, string]>([
    ['goes out', applied, says('NO'), 'GPU count was 8, is 1; it does not apply any more: because it is NO', 'GPU 总数由 8 变为 1；已不再适用：因为是 NO'],
    ['comes in', { ...applied, applies: 'NO' }, says('YES'), 'GPU count was 8, is 1; it applies now: because it is YES', 'GPU 总数由 8 变为 1；现已适用：因为是 YES'],
    ['may come in', { ...applied, applies: 'NO' }, says('UNKNOWN'), 'GPU count was 8, is 1; it may apply now: because it is UNKNOWN', 'GPU 总数由 8 变为 1；现可能适用：因为是 UNKNOWN'],
    ['is past', applied, says('NO', { isPast: true }), 'GPU count was 8, is 1; no longer needed: because it is NO', 'GPU 总数由 8 变为 1；已不再需要：因为是 NO'],
    ['stays in, against the rules', { overruled: 'YES' }, says('NO'), 'GPU count was 8, is 1; it does not apply any more: because it is NO', 'GPU 总数由 8 变为 1；已不再适用：因为是 NO'],
  ])('names what changed where the item %s', (_, of, next, en, zh) => {
    expect(change(of, next, gpus, driver).recheck).toEqual({ en, zh });
  }); // prettier-ignore

  it('names facts that were learned or lost, and capabilities by their names', () => {
    const differences = [differs('capability.nvlink', null, 'true'), differs('torch', '2.8.0', null)];
    expect(change(applied, says('NO'), ...differences).recheck).toEqual({
      en: 'NVLink was unknown, is there; PyTorch was 2.8.0, is unknown; it does not apply any more: because it is NO',
      zh: 'NVLink 由未知变为有；PyTorch 由 2.8.0 变为未知；已不再适用：因为是 NO',
    });
  });

  it('lists several values as each language does, and says of a capability that it is gone', () => {
    const differences = [differs('gpu.count', '4, 8', '8'), differs('capability.nvlink', 'true', 'false')];
    expect(change(applied, says('NO'), ...differences).recheck).toEqual({
      en: 'GPU count was 4, 8, is 8; NVLink was there, is absent; it does not apply any more: because it is NO',
      zh: 'GPU 总数由 4、8 变为 8；NVLink 由有变为无；已不再适用：因为是 NO',
    });
  });

  it('names each change once, of what was measured after what the item asks', () => {
    const measured = { ...applied, isMeasured: true };
    expect(change(measured, says('NO'), gpus, torch, model).recheck?.en).toBe(
      'GPU count was 8, is 1; PyTorch was 2.8.0, is 2.11.0; GPU model was H100, is H200; it does not apply any more: because it is NO',
    );
    expect(change(measured, says('YES'), gpus, torch, model).recheck?.en).toBe(
      'PyTorch was 2.8.0, is 2.11.0; GPU model was H100, is H200; GPU count was 8, is 1; the result is from before',
    );
  });

  it('names at most four changes', () => {
    const many = Array.from({ length: 6 }, (_, index) => differs(`workload.${index}`, 'a', 'b', 'BLOCK'));
    expect(change({ ...applied, isMeasured: true }, says('YES'), ...many).recheck?.en).toBe(
      'workload.0 was a, is b; workload.1 was a, is b; workload.2 was a, is b; workload.3 was a, is b; it was measured before that',
    );
  });

  it('gives the reason alone where nothing that the item asks about changed', () => {
    expect(change(applied, says('NO'), driver).recheck).toEqual({
      en: 'it does not apply any more: because it is NO',
      zh: '已不再适用：因为是 NO',
    });
  });
});

describe('joinedCause', () => {
  const older = { en: 'A was 1, is 2', zh: 'A 由 1 变为 2' };
  const newer = { en: 'B was 3, is 4', zh: 'B 由 3 变为 4' };

  it('puts the newest first', () => {
    expect(joinedCause(null, newer)).toEqual(newer);
    expect(joinedCause(older, newer)).toEqual({
      en: 'B was 3, is 4. Before: A was 1, is 2',
      zh: 'B 由 3 变为 4。此前：A 由 1 变为 2',
    });
  });

  it('says nothing twice', () => {
    expect(joinedCause(older, older)).toEqual(older);
    const both = joinedCause(older, newer);
    expect(joinedCause(both, newer)).toEqual(both);
    expect(joinedCause(older, both)).toEqual(both);
  });

  it('drops the older where both together are too long', () => {
    const long = { en: 'x'.repeat(1_980), zh: '旧' };
    expect(joinedCause(long, newer)).toEqual(newer);
    expect(joinedCause({ en: 'x'.repeat(1_977), zh: '旧' }, newer).en).toHaveLength(2_000);
  });
});
