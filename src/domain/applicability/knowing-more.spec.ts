import { describe, expect, it } from '@jest/globals';
import { seeded } from '../../../test/support/mutated-text.js';
import type { Facts, FactValue } from '../measurement/environment-diff.js';
import { applicability, type Answer } from './evaluate.js';
import { knownFacts } from './facts.js';
import type { Predicate } from './predicate.js';
import type { Vocabulary } from './reasons.js';

const nameOf = (key: string) => ({ en: key, zh: key });
const vocabulary: Vocabulary = { capabilityName: nameOf, factName: nameOf };

const h100 = {
  name: 'H100 SXM',
  capabilities: ['cuda', 'nvlink', 'mig'],
  facts: { vendor: 'nvidia', architecture: 'hopper', 'gpu.form': 'sxm', 'capability.nvswitch': 'unknown' },
};
const mi300x = {
  name: 'MI300X',
  capabilities: ['rocm', 'infinity-fabric'],
  facts: { vendor: 'amd', architecture: 'cdna3', 'gpu.form': 'oam', 'capability.liquid-cooling': 'unknown' },
};

/** Machines of which everything is known, and none of it contradicts the rest. */
const machines: readonly { readonly profile: typeof h100 | typeof mi300x | null; readonly facts: Facts }[] = [
  {
    profile: h100,
    facts: {
      'gpu.per_node': 8,
      'nodes.count': 4,
      'gpu.count': 32,
      torch: '2.11.0+cu128',
      cuda: '12.8',
      'fabric.kind': 'infiniband',
      'fabric.rdma': true,
      'workload.precision': ['bf16', 'fp8'],
      'capability.nvswitch': true,
      'capability.liquid-cooling': false,
    },
  },
  {
    profile: mi300x,
    facts: {
      'gpu.per_node': 8,
      'nodes.count': 1,
      'gpu.count': 8,
      torch: '2.8.0+rocm7.0',
      rocm: '7.0',
      'fabric.kind': 'none',
      'fabric.rdma': false,
      'workload.precision': 'fp32',
      'capability.nvswitch': false,
      'capability.liquid-cooling': true,
    },
  },
  {
    profile: null,
    facts: {
      vendor: 'nvidia',
      architecture: 'hopper',
      'gpu.form': 'pcie',
      'gpu.mig': '1g.12gb',
      'gpu.per_node': 2,
      'nodes.count': 1,
      'gpu.count': 2,
      torch: '2.10.0',
      cuda: '13.0',
      'fabric.kind': 'ethernet',
      'fabric.rdma': false,
      'workload.precision': 'fp8',
      'capability.cuda': true,
      'capability.rocm': false,
      'capability.nvlink': false,
      'capability.nvswitch': false,
      'capability.liquid-cooling': false,
      'capability.mig': true,
      'capability.infinity-fabric': false,
    },
  },
];

const leaves: readonly Predicate[] = [
  ...['cuda', 'rocm', 'nvlink', 'nvswitch', 'liquid-cooling', 'mig', 'infinity-fabric'].map((capability) => ({
    capability,
  })),
  { vendor: 'nvidia' },
  { architecture: { in: ['hopper', 'ampere'] } },
  { 'gpu.form': { not: 'pcie' } },
  { 'gpu.count': { atLeast: 8 } },
  { 'gpu.count': { atMost: 4 } },
  { 'gpu.count': { atLeast: 2, atMost: 8 } },
  { 'gpu.per_node': 8 },
  { 'nodes.count': { atLeast: 2 } },
  { torch: { version: '<2.9' } },
  { torch: { version: '>=2.9 <2.11' } },
  { cuda: { version: '>=12.8' } },
  { rocm: { version: '>=6' } },
  { 'fabric.kind': { in: ['infiniband', 'roce'] } },
  { 'fabric.rdma': true },
  { 'workload.precision': 'fp8' },
];

const random = seeded(20);
const one = <T>(values: readonly [T, ...T[]] | readonly T[], fallback: T): T =>
  values[Math.floor(random() * values.length)] ?? fallback;

function anyPredicate(depth: number): Predicate {
  const leaf = one(leaves, { capability: 'cuda' });
  if (depth === 0 || random() < 0.3) return leaf;
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => anyPredicate(depth - 1));
  if (random() < 0.3) return { not: parts[0] ?? leaf };
  return random() < 0.5 ? { all: parts } : { any: parts };
}

const withoutSome = (facts: Facts): Facts => {
  const share = random();
  return Object.fromEntries(Object.entries(facts).filter(() => random() < share));
};

type Machine = (typeof machines)[number];

/** A question, and what is said where some of a machine is known, more of it, and all. */
function inSteps(): { machine: Machine; predicate: Predicate; steps: readonly { known: Facts; answer: Answer }[] } {
  const machine = one(machines, { profile: null, facts: {} });
  const predicate = anyPredicate(3);
  const more = withoutSome(machine.facts);
  const steps = [withoutSome(more), more, machine.facts].map((known) => ({
    known,
    answer: applicability(predicate, knownFacts(machine.profile, known), vocabulary),
  }));
  return { machine, predicate, steps };
}

describe('knowing more of a machine', () => {
  const questions = Array.from({ length: 3_000 }, inSteps);

  it('settles what was unknown, and turns no answer around', () => {
    const turned = questions.flatMap(({ predicate, steps }) =>
      steps.flatMap(({ known, answer: { answer } }, index) => {
        const next = steps[index + 1];
        const isTurned = next && answer !== 'UNKNOWN' && next.answer.answer !== answer;
        return isTurned ? [{ predicate, known, answer, more: next.known, then: next.answer.answer }] : [];
      }),
    );
    expect(turned).toEqual([]);
  });

  it('settles everything once all is known', () => {
    const open = questions.filter(({ steps }) => steps[2]?.answer.answer === 'UNKNOWN');
    expect(open.map(({ predicate, machine }) => ({ predicate, facts: machine.facts }))).toEqual([]);
  });

  it('asks for no key in vain: what is missing settles the answer', () => {
    const unsettled = questions.flatMap(({ machine, predicate, steps }) => {
      const known: Record<string, FactValue> = { ...steps[0]?.known };
      for (let round = 0; round < 30; round += 1) {
        const { answer, missing } = applicability(predicate, knownFacts(machine.profile, known), vocabulary);
        if (answer !== 'UNKNOWN') return answer === steps[2]?.answer.answer ? [] : [{ predicate, known, answer }];
        // Nobody has a version of what the machine does not run: its vendor tells
        const keys = missing.flatMap((key) => {
          if (key === 'hardware') return Object.keys(machine.facts);
          return key in machine.facts ? [key] : ['vendor'];
        });
        const told = keys.filter((key) => machine.facts[key] !== undefined && known[key] === undefined);
        if (told.length === 0) return [{ predicate, known, missing }];
        for (const key of told) known[key] = machine.facts[key] ?? null;
      }
      return [{ predicate, known }];
    });
    expect(unsettled).toEqual([]);
  });

  it('leaves a key missing exactly where the answer is unknown, and gives a reason for every answer', () => {
    const answers = questions.flatMap(({ steps }) => steps.map(({ answer }) => answer));
    expect(answers.filter(({ answer, missing }) => (answer === 'UNKNOWN') !== missing.length > 0)).toEqual([]);
    expect(answers.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
    expect(answers.filter(({ answer, isPast }) => isPast && answer !== 'NO')).toEqual([]);
  });

  it('has asked enough of each kind', () => {
    const counts = new Map<string, number>();
    for (const { steps } of questions) {
      const turn = `${steps[0]?.answer.answer} ${steps[1]?.answer.answer}`;
      counts.set(turn, (counts.get(turn) ?? 0) + 1);
    }
    const most = ['YES YES', 'NO NO', 'UNKNOWN UNKNOWN', 'UNKNOWN YES', 'UNKNOWN NO'].map((turn) => counts.get(turn));
    expect(most.every((count) => (count ?? 0) > 100)).toBe(true);
  });

  it('takes the links of the hardware back where the machine turns out to be a slice of a GPU', () => {
    const nvlink: Predicate = { capability: 'nvlink' };
    const whole = applicability(nvlink, knownFacts(h100, {}), vocabulary);
    const slice = applicability(nvlink, knownFacts(h100, { 'gpu.mig': '1g.10gb' }), vocabulary);
    expect([whole.answer, slice.answer]).toEqual(['YES', 'NO']);
  });
});

const isSliced = ({ 'gpu.mig': mig }: Facts): boolean =>
  mig !== undefined && mig !== null && !/^(none|off)$/i.test(String(mig));

describe('knownFacts', () => {
  const words: readonly FactValue[] = [0, 1, 2, 8, '8', 'none', 'nvidia', 'amd', 'sxm', true, false, '2.11.0+cu130', '2.8.0+rocm7.0', 'infiniband', '1g.10gb', ['a', 'b'], [], 'unknown', null]; // prettier-ignore
  const keys = ['vendor', 'architecture', 'gpu.count', 'gpu.per_node', 'nodes.count', 'gpu.mig', 'gpu.form', 'torch', 'cuda', 'rocm', 'fabric.kind', 'fabric.rdma', 'capability.cuda', 'capability.nvlink', 'capability.nvswitch', 'capability.mig', 'env.NCCL_ALGO']; // prettier-ignore
  const environments = Array.from({ length: 2_000 }, (): Facts => {
    const share = random();
    return Object.fromEntries(keys.filter(() => random() < share).map((key) => [key, one(words, null)]));
  });

  it.each([
    ['unknown hardware', null],
    ['an H100 SXM', h100],
  ])('keeps every fact that an environment states, the links of MIG slices apart: %s', (_, profile) => {
    const changed = environments.flatMap((environment) => {
      const { facts, derived } = knownFacts(profile, environment);
      const stated = Object.entries(environment).filter(
        ([key, value]) => value !== null && (key !== 'capability.nvlink' || !isSliced(environment)),
      );
      return stated.filter(([key, value]) => facts[key] !== value || derived.has(key));
    });
    expect(changed).toEqual([]);
  });

  it('says why for every fact that neither the environment nor the profile states', () => {
    const unexplained = environments.flatMap((environment) => {
      const { facts, derived } = knownFacts(h100, environment);
      return Object.keys(facts).filter((key) => !derived.has(key) && !(key in h100.facts) && !(key in environment));
    });
    expect(unexplained).toEqual([]);
  });
});
