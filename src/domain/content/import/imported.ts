import { prepare } from '../../importers/prepare.js';
import type { BothLanguages } from '../../locale.js';
import type { ChecklistBundle } from '../bundle.js';
import { readBilingualText } from './read-bilingual-text.js';
import { readBundle } from './read-bundle.js';
import { readMarkdown } from './read-markdown.js';
import { formatOf } from './recognize.js';

/** 4 MiB for a bundle; 1 MiB for text, where more has to be guessed. */
export const MAX_CHECKLIST_BYTES = 4 * 1024 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;

/** Most sections, and most items over all of them. */
const MOST = { sections: 100, items: 1_000 };

export type ChecklistFormat = 'markdown' | 'bilingual-text' | 'bundle';

/** Something a person should look at: what was kept by a guess, or what has no place in the checklist. */
export interface Undecided {
  /** In the text, from 1. */
  readonly line: number;
  readonly message: BothLanguages;
  /** The beginning of what it is about, at most 120 characters. */
  readonly text: string;
}

export interface ImportedChecklist {
  readonly bundle: ChecklistBundle;
  readonly format: ChecklistFormat;
  readonly undecided: readonly Undecided[];
}

/** Why there is no checklist. */
export interface ChecklistProblem {
  /** From 1; null where there is none to name. */
  readonly line: number | null;
  readonly message: BothLanguages;
}

export type ReadChecklist =
  { readonly checklist: ImportedChecklist } | { readonly problems: readonly ChecklistProblem[] };

/** What is known of a text beside the text: the format that a person chose, the name of the file. */
export interface GivenChecklist {
  readonly format?: string | undefined;
  readonly fileName?: string | undefined;
}

/** Reads a checklist in any of the formats, within the limits of size above. Never throws for bad content. */
export function readChecklist(content: string, given: GivenChecklist = {}): ReadChecklist {
  const prepared = prepare(content, MAX_CHECKLIST_BYTES);
  if ('problem' in prepared) return { problems: [{ line: null, message: prepared.problem.message }] };
  const { text } = prepared;
  const format = formatOf(text, given);
  if (typeof format !== 'string') return { problems: [format] };
  if (format === 'bundle') return withinLimits(readBundle(text, given.fileName));
  const small = prepare(text, MAX_TEXT_BYTES);
  if ('problem' in small) return { problems: [{ line: null, message: small.problem.message }] };
  return withinLimits(format === 'markdown' ? readMarkdown(text, given.fileName) : readBilingualText(text, given.fileName));
}

function withinLimits(reading: ReadChecklist): ReadChecklist {
  if ('problems' in reading) return reading;
  const { sections } = reading.checklist.bundle;
  const items = sections.reduce((count, section) => count + section.items.length, 0);
  if (sections.length <= MOST.sections && items <= MOST.items) return reading;
  const message = {
    en: `${sections.length} sections and ${items} items are too many: at most ${MOST.sections} and ${MOST.items}`,
    zh: `共有 ${sections.length} 个章节、${items} 个条目，超出上限：最多 ${MOST.sections} 个章节、${MOST.items} 个条目`,
  };
  return { problems: [{ line: null, message }] };
}
