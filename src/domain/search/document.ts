import type { Locale, LocalizedText } from '../locale.js';

export type SearchKind = 'ITEM' | 'NOTE' | 'AUDIT_ITEM' | 'COMMENT';
export type SearchOutcome = 'HELPED' | 'NEUTRAL' | 'HURT' | 'INCONCLUSIVE';
export type SearchVerdict =
  'IMPROVED' | 'REGRESSED' | 'NO_MEANINGFUL_CHANGE' | 'INCONCLUSIVE' | 'NOT_COMPARABLE' | 'BLOCKED_BY_GUARDRAIL';

/** What names a document: there is one for each item, note, audit item and comment. */
export interface SearchDocumentKey {
  readonly kind: SearchKind;
  readonly subjectId: string;
}

/** What search knows of an item, a note, an audit item or a comment. */
export interface SearchDocument extends SearchDocumentKey {
  /** Id of its project, `user:<id>` or `team:<id>` for an own checklist of theirs; null where everybody may see it. */
  readonly projectId: string | null;
  readonly teamId: string | null;
  /** The item's key, such as `precision/tf32`. */
  readonly key: string | null;
  readonly checklist: string | null;
  readonly section: string | null;
  readonly title: LocalizedText;
  /** Markdown: all that is searched beside the title. */
  readonly body: LocalizedText;
  /** Exact names such as `NCCL_IB_HCA`, `torch.compile` or `nvidia-smi -pl`. */
  readonly identifiers: readonly string[];
  readonly tags: readonly string[];
  readonly hardware: readonly string[];
  readonly frameworks: readonly string[];
  /** The languages it was written in. */
  readonly languages: readonly Locale[];
  readonly outcome: SearchOutcome | null;
  readonly verdict: SearchVerdict | null;
  /** The largest gain of the linked comparisons, as a fraction: 0.05 is 5 %. */
  readonly gain: number | null;
}
