import semver from 'semver';

// Tools print versions in many shapes: 580.159.03 (driver), 2.11.0+cu130 (PyTorch), 12.6 (CUDA), v0.11.0rc1 (vLLM),
// 25.3.1.post1 (a fix after the release), 6.8.0-45-generic (kernel), 8.0.RC3 (CANN), 25.04-py3 (container image).
// Only known words make a prerelease; whatever else follows the number says how it was built and has no order.

const versionShape = /^v?((?:\d+\.)*\d+)(.*)$/is;
const prerelease = String.raw`[.\-_]?(dev|alpha|beta|preview|pre|rc|a|b)[.\-_]?(\d*)`;
const beginsWithPrerelease = new RegExp(`^${prerelease}(?![a-z0-9])`, 'i');
const beginsWithBuild = /^[.\-_+~ ]/;

const comparatorShape = /^(>=|<=|>|<|=|~|\^)?v?(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?([^]*)$/i;
const isPrerelease = new RegExp(`^${prerelease}$`, 'i');

// semver orders prerelease words by the alphabet: dev must come before a, b and rc
const rankOfWord: Readonly<Record<string, string>> = {
  dev: '0dev',
  a: 'alpha',
  alpha: 'alpha',
  b: 'beta',
  beta: 'beta',
  pre: 'rc',
  preview: 'rc',
  rc: 'rc',
};

/** Where a version lies: ABOVE is newer than everything in the range, OUTSIDE older or between two parts of it. */
export type VersionPlace = 'WITHIN' | 'ABOVE' | 'OUTSIDE';

/**
 * Where the version lies, null where one of the two cannot be read. A prerelease stands below its release
 * (0.11.0rc1 < 0.11) and above all earlier ones; a post-release, a local build and a fourth number count as the release
 * that they belong to.
 */
export function placeOf(version: string, range: string): VersionPlace | null {
  const question = `${version}\n${range}`;
  const remembered = answers.get(question);
  if (remembered !== undefined) return remembered;
  if (answers.size >= answersKept) answers.clear();
  const answer = compare(version, range);
  answers.set(question, answer);
  return answer;
}

// Scoping an audit asks the same few versions about the same few ranges over and over; reading both takes most of it
const answers = new Map<string, VersionPlace | null>();
const answersKept = 5_000;

function compare(version: string, range: string): VersionPlace | null {
  const read = readVersion(version);
  const wanted = readRange(range);
  if (read === null || wanted === null) return null;
  if (wanted.test(read)) return 'WITHIN';
  return semver.gtr(read, wanted, { includePrerelease: true }) ? 'ABOVE' : 'OUTSIDE';
}

/** True where `placeOf` understands the range: `>=2.9`, `>=550 <580`, `2.x`, `~12.6`, `^0.11`, alternatives by `||`. */
export function isVersionRange(range: string): boolean {
  return readRange(range) !== null;
}

function readVersion(text: string): semver.SemVer | null {
  const match = versionShape.exec(text.trim());
  if (!match) return null;
  const [, numbers = '', rest = ''] = match;
  const [major, minor, patch] = numbers.split('.');
  const early = beginsWithPrerelease.exec(rest);
  if (early === null && rest !== '' && !beginsWithBuild.test(rest)) return null;
  return semver.parse(`${plain(major)}.${plain(minor)}.${plain(patch)}${suffix(early?.[1], early?.[2])}`);
}

function readRange(text: string): semver.Range | null {
  const joined = text
    .replace(/(>=|<=|>|<|=|~|\^)\s+/g, '$1')
    .replace(/,/g, ' ')
    .trim();
  if (joined === '') return null;
  const alternatives: string[] = [];
  for (const alternative of joined.split('||')) {
    const comparators = alternative.trim().split(/\s+/).map(comparator);
    if (comparators.includes(null)) return null;
    alternatives.push(comparators.join(' '));
  }
  try {
    return new semver.Range(alternatives.join(' || '), { includePrerelease: true });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

// `>=2.9` and `<2.9` are completed to 2.9.0, so that 2.9.0rc1 is below both; the others keep semver's meaning:
// `<=2.9` includes 2.9.1, `>2.9` begins at 2.10, `2.9` is any 2.9.
function comparator(text: string): string | null {
  if (/^[x*]$/i.test(text)) return '*';
  const match = comparatorShape.exec(text);
  if (!match) return null;
  const [, operator = '', major, minor, patch, rest = ''] = match;
  const early = rest === '' ? null : isPrerelease.exec(rest);
  if (rest !== '' && early === null) return null;
  const hasWildcard = [minor, patch].some((part) => part !== undefined && /[x*]/i.test(part));
  if (early !== null && hasWildcard) return null;
  const isBound = operator === '>=' || operator === '<';
  if (early !== null || (isBound && !hasWildcard)) {
    return `${operator}${plain(major)}.${plain(minor)}.${plain(patch)}${suffix(early?.[1], early?.[2])}`;
  }
  const parts = [major, minor, patch].filter((part) => part !== undefined);
  return operator + parts.map((part) => (/[x*]/i.test(part) ? 'x' : plain(part))).join('.');
}

// semver refuses leading zeros: 03 is 3
function plain(part: string | undefined): string {
  return part === undefined ? '0' : part.replace(/^0+(?=\d)/, '');
}

function suffix(word: string | undefined, number: string | undefined): string {
  const rank = word === undefined ? undefined : rankOfWord[word.toLowerCase()];
  return rank === undefined ? '' : `-${rank}.${plain(number || undefined)}`;
}
