import { beforeAll, describe, expect, it } from '@jest/globals';
import { ends } from './support/ends.js';
import { applicability, type Answer } from '../src/domain/applicability/evaluate.js';
import { knownFacts, type Facts } from '../src/domain/applicability/facts.js';
import type { Predicate } from '../src/domain/applicability/predicate.js';
import type { Vocabulary } from '../src/domain/applicability/reasons.js';
import type { Catalog } from '../src/domain/content/catalog.js';
import { parseContent } from '../src/domain/content/parse-content.js';
import type { BothLanguages } from '../src/domain/locale.js';
import { readContentFolder, shippedContent } from '../src/features/content/content-files.js';
import { links } from './support/answers/links.js';
import { nvidia } from './support/answers/nvidia.js';
import { otherVendors } from './support/answers/other-vendors.js';
import { nodeOf, train, type Reason } from './support/answers/reasons.js';
import { software } from './support/answers/software.js';
import { unlisted } from './support/answers/unlisted.js';

// What the shipped items answer on machines that people have. The expected answers are what an engineer would say of the
// machine; where one changes, the item, the profile or the rules changed their mind.

let catalog: Catalog;
let vocabulary: Vocabulary;
beforeAll(async () => {
  const parsed = parseContent(await readContentFolder(shippedContent));
  if ('problems' in parsed) throw new Error('the shipped content has problems, which content.spec.ts names');
  catalog = parsed.catalog;
  vocabulary = { capabilityName: namesOf(catalog.capabilities), factName: namesOf(catalog.environmentKeys) };
});

function namesOf(entries: readonly { key: string; name: BothLanguages }[]): (key: string) => BothLanguages {
  const names = new Map(entries.map(({ key, name }) => [key, name]));
  return (key) => names.get(key) ?? { en: key, zh: key };
}

function knownOf(slug: string | null, facts: Facts) {
  if (slug === null) return knownFacts(null, facts);
  const profile = catalog.hardware.flatMap(({ profiles }) => profiles).find((one) => one.slug === slug);
  if (!profile) throw new Error(`no profile ${slug}`);
  return knownFacts({ ...profile, isGeneric: profile.generic ?? false }, facts);
}

function itemOf(key: string) {
  const [item, ...others] = items().filter((one) => one.key === key);
  if (!item || others.length > 0) throw new Error(`${others.length + 1} items ${key}`);
  return item;
}

function items() {
  return catalog.checklists.flatMap(({ sections }) => sections.flatMap((section) => section.items));
}

/** The reasons in English; those in Chinese too where all that is expected has them. */
function reasonsOf({ reasons }: Answer, expected: readonly Reason[]) {
  return reasons.map(({ en, zh }, index) => (typeof expected[index] === 'string' ? en : [en, zh]));
}

const pairs = [...links, ...nvidia, ...otherVendors, ...unlisted, ...software].flatMap(({ expected, ...scene }) =>
  expected.map(([item, answer, reasons, missing = []]) => ({ ...scene, item, answer, reasons, missing })),
);

describe('the shipped items', () => {
  it.each(pairs)('say of $machine that $item is $answer', ({ profile, facts, item, answer, reasons, missing }) => {
    const given = applicability(itemOf(item).applicability ?? null, knownOf(profile, facts), vocabulary);
    expect({ ...given, reasons: reasonsOf(given, reasons) }).toEqual({ answer, reasons, missing, isPast: false });
  });

  it('answer for a thousand items in time', () => {
    const shipped = items().map(({ applicability: predicate = null }) => predicate);
    const thousand = Array.from({ length: 1_000 }, (_, index) => shipped[index % shipped.length] ?? null);
    const known = knownOf('h100-sxm', { ...nodeOf(8), ...train, torch: '2.8.0+cu128', nccl: '2.27.3' });
    const answers = ends(() => thousand.map((predicate) => applicability(predicate, known, vocabulary).answer));
    expect(answers).toHaveLength(1_000);
  });
});

describe('the words of the shipped keys', () => {
  const between: Predicate = { nccl: { version: '>=2.17 <2.27' } };
  const image: Predicate = { image: { name: 'nvidia/pytorch', version: '>=25.03 <26' } };

  it.each<[string, Predicate, Facts, Omit<Answer, 'reasons'>, Reason]>([
    ['a driver that is not known', { driver: { version: '>=535' } }, {}, { answer: 'UNKNOWN', isPast: false, missing: ['driver'] },
      ['GPU driver is not known (driver must be version >=535)', 'GPU 驱动未知（driver 版本须满足 >=535）']],
    ['an old driver', { driver: { version: '>=535' } }, { driver: '470.256.02' }, { answer: 'NO', isPast: false, missing: [] },
      ['GPU driver must be version >=535; it is 470.256.02', 'GPU 驱动版本须满足 >=535，实际为 470.256.02']],
    ['a version within the range', between, { nccl: '2.21.5' }, { answer: 'YES', isPast: false, missing: [] },
      ['NCCL is 2.21.5', 'NCCL 为 2.21.5']],
    ['a version below the range', between, { nccl: '2.16.2' }, { answer: 'NO', isPast: false, missing: [] },
      ['NCCL must be version >=2.17 <2.27; it is 2.16.2', 'NCCL 版本须满足 >=2.17 <2.27，实际为 2.16.2']],
    ['a version above the range, which is past', between, { nccl: '2.28.3' }, { answer: 'NO', isPast: true, missing: [] },
      ['NCCL must be version >=2.17 <2.27; it is 2.28.3', 'NCCL 版本须满足 >=2.17 <2.27，实际为 2.28.3']],
    ['a version that is not known', between, {}, { answer: 'UNKNOWN', isPast: false, missing: ['nccl'] },
      ['NCCL is not known (nccl must be version >=2.17 <2.27)', 'NCCL 未知（nccl 版本须满足 >=2.17 <2.27）']],
    ['an image within the range', image, { image: 'nvcr.io/nvidia/pytorch:25.06-py3' }, { answer: 'YES', isPast: false, missing: [] },
      ['Container image is nvcr.io/nvidia/pytorch:25.06-py3', '容器镜像为 nvcr.io/nvidia/pytorch:25.06-py3']],
    ['an older image', image, { image: 'nvcr.io/nvidia/pytorch:24.12-py3' }, { answer: 'NO', isPast: false, missing: [] },
      ['Container image must be nvidia/pytorch with a tag in >=25.03 <26; it is nvcr.io/nvidia/pytorch:24.12-py3',
       '容器镜像须为 nvidia/pytorch 且标签版本满足 >=25.03 <26，实际为 nvcr.io/nvidia/pytorch:24.12-py3']],
    ['a newer image, for which it is past', image, { image: 'nvcr.io/nvidia/pytorch:26.01-py3' }, { answer: 'NO', isPast: true, missing: [] },
      'Container image must be nvidia/pytorch with a tag in >=25.03 <26; it is nvcr.io/nvidia/pytorch:26.01-py3'],
    ['another image', image, { image: 'rocm/pytorch:rocm7.0' }, { answer: 'NO', isPast: false, missing: [] },
      'Container image must be nvidia/pytorch with a tag in >=25.03 <26; it is rocm/pytorch:rocm7.0'],
    ['an image without a tag', image, { image: 'nvcr.io/nvidia/pytorch' }, { answer: 'UNKNOWN', isPast: false, missing: ['image'] },
      ['Container image must be nvidia/pytorch with a tag in >=25.03 <26; "nvcr.io/nvidia/pytorch" cannot be compared with that',
       '容器镜像须为 nvidia/pytorch 且标签版本满足 >=25.03 <26，但“nvcr.io/nvidia/pytorch”无法与之比较']],
  ])('name %s', (_, predicate, facts, answer, reason) => {
    const given = applicability(predicate, knownOf('h100-sxm', facts), vocabulary);
    expect({ ...given, reasons: reasonsOf(given, [reason]) }).toEqual({ ...answer, reasons: [reason] });
  }); // prettier-ignore
});
