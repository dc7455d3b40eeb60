import { describe, expect, it } from '@jest/globals';
import type { DifferenceTier } from './environment-diff.js';
import { conflictText, joinedFacts, type FactConflict } from './joined-facts.js';

const tiers = new Map<string, DifferenceTier>([
  ['gpu.sku', 'BLOCK'],
  ['driver', 'WARN'],
  ['workload.model', 'BLOCK'],
]);

function conflictOf(
  key: string,
  one: 'FILE' | 'CALLER',
  value: string,
  other: 'CALLER' | 'ENVIRONMENT',
  said: string,
  isBlocking = false,
): FactConflict {
  return { kind: 'VALUE', key, first: { source: one, value }, second: { source: other, value: said }, isBlocking };
}

describe('joinedFacts', () => {
  it('takes the file, what the caller adds, and what the environment knows beyond both', () => {
    expect(
      joinedFacts({ file: { driver: '570' }, caller: { cuda: '12.8' }, environment: { driver: '570', os: 'Linux' } }, tiers, []),
    ).toEqual({
      facts: { driver: '570', cuda: '12.8', os: 'Linux' },
      sources: { cuda: 'CALLER', os: 'ENVIRONMENT' },
      conflicts: [],
    });
  }); // prettier-ignore

  it('keeps what the caller says over the file, and tells that they differ', () => {
    const { facts, sources, conflicts } = joinedFacts(
      { file: { driver: '570' }, caller: { driver: '580' }, environment: { driver: '575' } },
      tiers,
      [],
    );
    expect({ facts, sources }).toEqual({ facts: { driver: '580' }, sources: { driver: 'CALLER' } });
    expect(conflicts).toEqual([conflictOf('driver', 'FILE', '570', 'CALLER', '580')]);
  });

  it('keeps the file over the environment, and tells that they differ', () => {
    const { facts, conflicts } = joinedFacts(
      { file: { 'gpu.mig': 'none' }, caller: {}, environment: { 'gpu.mig': '1g.10gb' } },
      tiers,
      [],
    );
    expect(facts).toEqual({ 'gpu.mig': 'none' });
    expect(conflicts).toEqual([conflictOf('gpu.mig', 'FILE', 'none', 'ENVIRONMENT', '1g.10gb')]);
  });

  it.each([
    [{ 'gpu.sku': 'H200' }, {}, 'FILE'],
    [{}, { 'gpu.sku': 'H200' }, 'CALLER'],
  ] as const)('takes nothing silently from the environment of another machine: %j, %j', (file, caller, source) => {
    const said = { file, caller, environment: { 'gpu.sku': 'H100 SXM', driver: '580' } };
    const { conflicts } = joinedFacts(said, tiers, []);
    expect(conflicts).toEqual([conflictOf('gpu.sku', source, 'H200', 'ENVIRONMENT', 'H100 SXM', true)]);
    const meant = joinedFacts(said, tiers, ['gpu.sku']);
    expect(meant.facts).toEqual({ 'gpu.sku': 'H200', driver: '580' });
    expect(meant.conflicts.filter(({ isBlocking }) => isBlocking)).toEqual([]);
  });

  it.each([
    ['gpu.name', 'NVIDIA H200', 'H200', 'NVIDIA H200'],
    ['gpu.sku', 'RTX 9999', 'NVIDIA RTX 9999', 'RTX 9999'],
    ['gpu.memory', 140.4, 141, 140.4],
    ['torch', '2.11.0', '2.11.0+cu130', '2.11.0+cu130'],
    ['cuda', '12.8.1', '12.8', '12.8.1'],
  ])('takes %s %j and %j for the same', (key, file, caller, kept) => {
    const { facts, conflicts } = joinedFacts({ file: { [key]: file }, caller: { [key]: caller }, environment: {} }, tiers, []);
    expect({ facts, conflicts }).toEqual({ facts: { [key]: kept }, conflicts: [] });
  }); // prettier-ignore

  it('takes the model of the catalog and the one that the driver prints for the same', () => {
    const [file, caller] = [
      { 'gpu.name': 'NVIDIA GH200 480GB', 'gpu.sku': 'GH200 480GB' },
      { 'gpu.name': 'NVIDIA GH200 480GB', 'gpu.sku': 'GH200' },
    ];
    expect(joinedFacts({ file, caller, environment: {} }, tiers, [])).toEqual({ facts: file, sources: {}, conflicts: [] });
    expect(joinedFacts({ file, caller: {}, environment: caller }, tiers, []).conflicts).toEqual([]);
  }); // prettier-ignore

  const used = { 'gpu.count': 2, 'nodes.count': 1 };

  it('refuses fewer GPUs of a node than the file used, unless they are meant', () => {
    const said = { file: used, caller: { 'gpu.per_node': 1, driver: '580' }, environment: {} };
    const { conflicts } = joinedFacts(said, tiers, []);
    expect(conflicts.map((one) => [one.isBlocking, conflictText(one).en, conflictText(one).zh])).toEqual([
      [
        true,
        'gpu.count = 2 (the file), nodes.count = 1 (the file), gpu.per_node = 1 (you) cannot all be true of one run: leave out what is wrong, or name gpu.per_node in override',
        'gpu.count = 2（文件）、nodes.count = 1（文件）、gpu.per_node = 1（给出的值）不可能同时成立：请去掉错误的值，或在 override 中列出 gpu.per_node',
      ],
    ]);
    const meant = joinedFacts(said, tiers, ['gpu.per_node']);
    expect(meant.facts).toEqual({ ...used, 'gpu.per_node': 1, driver: '580' });
    expect(meant.conflicts.map((one) => [one.isBlocking, conflictText(one).en])).toEqual([
      [false, 'gpu.count = 2 (the file), nodes.count = 1 (the file), gpu.per_node = 1 (you) cannot all be true: yours is kept'],
    ]);
  }); // prettier-ignore

  it('leaves out the GPUs of a machine of which the run used a part', () => {
    const { facts, sources, conflicts } = joinedFacts(
      { file: used, caller: { 'gpu.per_node': 8 }, environment: {} },
      tiers,
      [],
    );
    expect({ facts, sources }).toEqual({ facts: used, sources: {} });
    expect(conflicts.map((one) => [one.isBlocking, conflictText(one).en])).toEqual([
      [
        false,
        'gpu.count = 2 (the file), nodes.count = 1 (the file), gpu.per_node = 8 (you) do not fit together: the run used part of the machine, so gpu.per_node is left out',
      ],
    ]);
  });

  it('leaves out the counts of an environment that do not fit what the file used', () => {
    const { facts, conflicts } = joinedFacts(
      { file: { 'gpu.count': 8 }, caller: {}, environment: { 'gpu.per_node': 8, 'nodes.count': 4 } },
      tiers,
      [],
    );
    expect(facts).toEqual({ 'gpu.count': 8 });
    expect(conflicts.map((one) => [one.isBlocking, conflictText(one).en])).toEqual([
      [
        false,
        'gpu.count = 8 (the file), nodes.count = 4 (the environment), gpu.per_node = 8 (the environment) do not fit together: the run used part of the machine, so nodes.count and gpu.per_node are left out',
      ],
    ]);
  });

  it.each([
    [{ 'gpu.count': 16 }, { 'gpu.per_node': 8, 'nodes.count': 2 }],
    [{ 'gpu.count': 16 }, { 'gpu.per_node': 8 }],
    [{ 'gpu.per_node': 8, 'nodes.count': 2 }, { 'gpu.count': 16 }],
    [{ 'gpu.count': 16, 'gpu.per_node': 4, 'nodes.count': 2 }, {}],
  ])('has nothing to say of counts that fit, or are of the file alone: %j, %j', (file, caller) => {
    const { facts, conflicts } = joinedFacts({ file, caller, environment: {} }, tiers, []);
    expect({ facts, conflicts }).toEqual({ facts: { ...file, ...caller }, conflicts: [] });
  });

  it('refuses more nodes than GPUs, and takes an uneven share', () => {
    const said = (nodes: number) =>
      joinedFacts({ file: { 'gpu.count': 8 }, caller: { 'nodes.count': nodes }, environment: {} }, tiers, []).conflicts;
    expect(said(16).map(({ isBlocking }) => isBlocking)).toEqual([true]);
    expect(said(3)).toEqual([]);
  });

  it('refuses counts of the caller that contradict each other', () => {
    const caller = { 'gpu.count': 16, 'gpu.per_node': 4, 'nodes.count': 2 };
    const { conflicts } = joinedFacts({ file: {}, caller, environment: {} }, tiers, []);
    expect(conflicts.map(({ isBlocking }) => isBlocking)).toEqual([true]);
  });

  it.each([
    [[], true],
    [['gpu.sku'], false],
    [['model'], true],
  ])('blocks for a key that makes runs different things, unless %j are meant', (override, isBlocking) => {
    const { conflicts } = joinedFacts(
      { file: { 'gpu.sku': 'H200' }, caller: { 'gpu.sku': 'H100 SXM' }, environment: {} },
      tiers,
      override,
    );
    expect(conflicts.map((conflict) => conflict.isBlocking)).toEqual([isBlocking]);
  });

  it('takes letter case and a null for no difference', () => {
    expect(
      joinedFacts({ file: { driver: 'A' }, caller: { driver: 'a', cuda: null }, environment: {} }, tiers, []),
    ).toEqual({ facts: { driver: 'A' }, sources: {}, conflicts: [] });
  });

  it('names the key and both values in both languages', () => {
    const text = conflictText(conflictOf('driver', 'FILE', '570', 'CALLER', '580'));
    expect(text).toEqual({
      en: 'The file says driver = "570", you say "580": yours is kept',
      zh: '文件中 driver 为“570”，而给出的是“580”：保留给出的值',
    });
  });
});
