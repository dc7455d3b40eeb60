import { isFinished, type Unit } from './bilingual-units.js';
import { hasHan } from './passages.js';

/** A unit and what it is in the checklist: its name, a section, an item, or text of what stands before. */
export interface Placed {
  readonly unit: Unit;
  readonly place: 'NAME' | 'SECTION' | 'ITEM' | 'TEXT';
  /** By a guess that a person should look at. */
  readonly isGuess: boolean;
}

const LONGEST_NAME = 120;

/**
 * What each unit is where titles of items and headings of sections look alike. Null where they do not: sections are
 * pairs of lines, and most titles stand on one.
 */
export function outlineOf(units: readonly Unit[]): Placed[] | null {
  const count = (kind: Unit['kind']) => units.filter((unit) => unit.kind === kind).length;
  const [titles, headings] = [count('TITLE'), count('HEADING')];
  if (titles + headings === 0 || (headings > 0 && titles * 2 > headings)) return null;
  const named = withName(units);
  const heads = named.filter(({ unit }) => unit.kind !== 'BODY');
  const numbered = heads.filter(({ unit }) => unit.number !== null).length;
  return numbered >= 2 && numbered * 3 >= heads.length ? byNumber(named) : byRuns(named);
}

/** The first unit is the name if it is short, unless it has a number as others have. */
function withName(units: readonly Unit[]): Placed[] {
  return units.map((unit, index) => {
    const isName = index === 0 && unit.number === null && (unit.kind !== 'BODY' || isLoneTitle(unit));
    return { unit, place: isName ? 'NAME' : 'TEXT', isGuess: false };
  });
}

function isLoneTitle({ text }: Unit): boolean {
  return text.length <= LONGEST_NAME / (hasHan(text) ? 2 : 1) && !isFinished(text);
}

/** With numbers: the higher ones are sections if lower ones, or titles without number, stand below most of them. */
function byNumber(placed: readonly Placed[]): Placed[] {
  const heads = placed.filter(isHead);
  const ranks = heads.flatMap(({ unit }) => (unit.number === null ? [] : [unit.number.rank]));
  const top = Math.min(...ranks);
  const above = (isBelow: (next: Placed | undefined) => boolean, owners: (rank: number) => boolean) => {
    const found = heads.flatMap(({ unit }, index) => (unit.number && owners(unit.number.rank) ? [index] : []));
    return found.filter((index) => isBelow(heads[index + 1])).length * 2 > found.length;
  };
  const isNested = above((next) => (next?.unit.number?.rank ?? 0) > top, (rank) => rank === top);
  const plainBelow = (next: Placed | undefined) => next !== undefined && next.unit.number === null;
  const areSections = !isNested && above(plainBelow, () => true);
  return placed.map((one) => {
    if (!isHead(one)) return one;
    const { number } = one.unit;
    if (number === null) return { ...one, place: areSections ? 'ITEM' : 'SECTION' };
    return { ...one, place: areSections || (isNested && number.rank === top) ? 'SECTION' : 'ITEM' };
  });
}

/** Without numbers: of headings that follow each other the first is a section, and one before text is an item. */
function byRuns(placed: readonly Placed[]): Placed[] {
  const result: Placed[] = [];
  const hasText = placed.some(({ unit, place }) => unit.kind === 'BODY' && place !== 'NAME');
  let sections = 0;
  for (let index = 0; index < placed.length; index += 1) {
    const one = placed[index];
    if (!one || one.place === 'NAME' || !isHead(one)) {
      if (one) result.push(one);
      continue;
    }
    let end = index + 1;
    while (isHead(placed[end])) end += 1;
    const isSection = hasText && (end - index > 1 || introduces(placed, end));
    sections += isSection ? 1 : 0;
    placed.slice(index, end).forEach((head, at) => {
      const place = isSection && at === 0 ? 'SECTION' : 'ITEM';
      result.push({ ...head, place, isGuess: at === 0 && end - index > 2 && hasText });
    });
    index = end - 1;
  }
  const [name, next] = result;
  // each pair has its text: the first one may be an item as well
  if (name?.place === 'NAME' && name.unit.kind !== 'BODY' && next?.place === 'TEXT' && sections === 0) {
    return [{ ...name, isGuess: true }, ...result.slice(1)];
  }
  return result;
}

function isHead(one: Placed | undefined): boolean {
  return one !== undefined && one.unit.kind !== 'BODY' && one.place !== 'NAME';
}

/** Whether the text from `index` on says what follows, as in "These are the checks:", and a title follows. */
function introduces(placed: readonly Placed[], index: number): boolean {
  let end = index;
  while (end < placed.length && placed[end]?.unit.kind === 'BODY') end += 1;
  const last = placed[end - 1];
  return end > index && end < placed.length && /[:：]$/.test(last?.unit.text ?? '');
}
