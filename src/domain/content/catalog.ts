import type { BothLanguages } from '../locale.js';
import type { NoteReading } from './check-note.js';
import type { TextDigests } from './digest.js';
import type {
  CapabilityEntry,
  EnvironmentKeyEntry,
  GlossaryEntry,
  HardwareFile,
  ItemFile,
  MetricEntry,
  NoteFile,
  TagEntry,
} from './schema.js';

/** All of content/, checked: every key that is named exists. */
export interface Catalog {
  readonly checklists: readonly CatalogChecklist[];
  readonly metrics: readonly MetricEntry[];
  readonly hardware: readonly HardwareFile[];
  readonly capabilities: readonly CapabilityEntry[];
  readonly tags: readonly TagEntry[];
  readonly glossary: readonly GlossaryEntry[];
  readonly environmentKeys: readonly EnvironmentKeyEntry[];
  readonly notes: readonly CatalogNote[];
}

/** A reference note with what its measurements say. */
export interface CatalogNote extends NoteFile {
  readonly slug: string;
  readonly reading: NoteReading;
  /** Over the note and its measurements. */
  readonly digest: string;
}

export interface CatalogChecklist {
  readonly slug: string;
  readonly release: string;
  readonly title: BothLanguages;
  readonly summary: BothLanguages;
  readonly sections: readonly CatalogSection[];
}

export interface CatalogSection {
  readonly key: string;
  /** Place within the checklist, from 1. */
  readonly order: number;
  readonly title: BothLanguages;
  readonly summary: BothLanguages;
  readonly items: readonly CatalogItem[];
}

export interface CatalogItem extends ItemFile {
  /** section/topic */
  readonly key: string;
  /** Place within the whole checklist, from 1; `order` is the place within the section. */
  readonly position: number;
  readonly checkDigest: string;
  /** Of the whole item. */
  readonly digest: string;
  readonly textDigests: TextDigests;
}
