// `npm run bench:applicability`: the rules of a thousand items (the shipped ones, over and over) asked about each hardware
// profile, with reasons, beside the floor: the same predicates parsed from their JSON, and each condition in them looked
// up once and compared as text. Then what share of the shipped items is YES, NO and UNKNOWN on each profile.
import { join } from 'node:path';
import { orExplain, prepare, root } from '../scripts/prepare.mjs';

const ITEMS = 1_000;
const ROUNDS = 15;

await orExplain(prepare, 130);
const from = (path) => import(join(root, 'dist', path));
const { applicability } = await from('domain/applicability/evaluate.js');
const { knownFacts } = await from('domain/applicability/facts.js');
const { parseContent } = await from('domain/content/parse-content.js');
const { readContentFolder, shippedContent } = await from('features/content/content-files.js');

const { catalog, problems } = parseContent(await readContentFolder(shippedContent));
if (problems) throw new Error(`The content has ${problems.length} problems`);
const shipped = catalog.checklists
  .flatMap(({ sections }) => sections.flatMap(({ items }) => items))
  .map((item) => item.applicability ?? null);
const thousand = Array.from({ length: ITEMS }, (_, index) => shipped[index % shipped.length]);
const texts = thousand.map((predicate) => JSON.stringify(predicate));

const namesOf = (entries) => {
  const names = new Map(entries.map(({ key, name }) => [key, name]));
  return (key) => names.get(key) ?? { en: key, zh: key };
};
const vocabulary = { capabilityName: namesOf(catalog.capabilities), factName: namesOf(catalog.environmentKeys) };

/** Training on one node of eight, with all that rules ask for; a system that says how large it is keeps its size. */
function fullEnvironment({ facts }) {
  const versions = {
    nvidia: { torch: '2.8.0+cu128', nccl: '2.27.3', driver: '580.65.06', 'driver.cuda': '13.0', 'gpu.mig': 'none' },
    amd: { torch: '2.8.0+rocm6.4', rccl: '2.22.3', driver: '6.12.12' },
    huawei: { torch: '2.7.1', torchNpu: '2.7.1', cann: '8.2.RC1', driver: '25.2.0' },
  };
  return {
    ...(facts['gpu.count'] === undefined && { 'gpu.count': 8, 'gpu.per_node': 8, 'nodes.count': 1 }),
    ...{ 'fabric.kind': 'none', 'fabric.rdma': false, 'storage.kind': 'nvme', 'host.virtual': false },
    ...{ 'numa.nodes': 2, 'cpu.threads_per_core': 2, deepspeed: '0.18.0' },
    ...{ 'workload.phase': 'training', 'workload.precision': 'mixed', 'workload.framework': 'pytorch' },
    ...versions[facts.vendor],
  };
}

const knownOf = (profile, environment) => knownFacts({ ...profile, isGeneric: profile.generic ?? false }, environment);

/** The least that must be done to say of each condition whether it is met: read it, look the fact up, compare. */
function lookUp(predicate, facts, capabilities) {
  if (predicate === null) return 0;
  let met = 0;
  for (const [key, value] of Object.entries(predicate)) {
    if (key === 'not') met += lookUp(value, facts, capabilities);
    else if (key === 'all' || key === 'any') for (const part of value) met += lookUp(part, facts, capabilities);
    else if (key === 'capability') met += capabilities.has(value) ? 1 : 0;
    else if (typeof value !== 'object') met += String(facts[key]) === String(value) ? 1 : 0;
    else for (const bound of Object.values(value).flat()) met += String(facts[key]) === String(bound) ? 1 : 0;
  }
  return met;
}

const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
let sink = 0;

function measure(profile) {
  const known = knownOf(profile, fullEnvironment(profile));
  const capabilities = new Set(known.capabilities);
  const rules = {
    times: [],
    run: () => {
      for (const predicate of thousand) sink += applicability(predicate, known, vocabulary).reasons.length;
    },
  };
  const floor = {
    times: [],
    run: () => {
      for (const text of texts) sink += lookUp(JSON.parse(text), known.facts, capabilities);
    },
  };
  for (let round = -3; round < ROUNDS; round++) {
    for (const side of [rules, floor]) {
      const began = performance.now();
      side.run();
      if (round >= 0) side.times.push(performance.now() - began);
    }
  }
  return { rules: median(rules.times), floor: median(floor.times) };
}

function shares(known) {
  const counts = { YES: 0, NO: 0, UNKNOWN: 0 };
  for (const predicate of shipped) counts[applicability(predicate, known, vocabulary).answer] += 1;
  return Object.values(counts).map((count) => `${Math.round((100 * count) / shipped.length)} %`.padStart(5));
}

const profiles = catalog.hardware.flatMap((vendor) => vendor.profiles);
// Whoever is measured first would pay for the compiler
for (const profile of profiles.slice(0, 5)) measure(profile);
const column = (text, width) => String(text).padStart(width);
console.log(`${shipped.length} items; ms for ${ITEMS} of them, median of ${ROUNDS}. Shares: YES, NO, UNKNOWN`);
console.log(`${'profile'.padEnd(36)} rules  floor  ratio   profile alone        training, 8 GPUs, versions`);
const all = profiles.map((profile) => {
  const { rules, floor } = measure(profile);
  const times = `${column(rules.toFixed(2), 5)}  ${column(floor.toFixed(2), 5)}  ${column((rules / floor).toFixed(1), 5)}`;
  const [alone, full] = [{}, fullEnvironment(profile)].map((environment) => shares(knownOf(profile, environment)));
  console.log(`${profile.slug.padEnd(36)} ${times}   ${alone.join(' ')}    ${full.join(' ')}`);
  return { rules, floor };
});
const [rules, floor] = ['rules', 'floor'].map((side) => median(all.map((one) => one[side])));
const worst = Math.max(...all.map((one) => one.rules));
console.log(
  `all ${all.length}: rules ${rules.toFixed(2)} ms (worst ${worst.toFixed(2)}), floor ${floor.toFixed(2)} ms`,
);
console.log(`ratio ${median(all.map((one) => one.rules / one.floor)).toFixed(1)}`);
if (sink === 0) throw new Error('nothing was asked');
