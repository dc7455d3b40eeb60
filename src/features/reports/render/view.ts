import { tellingTrial } from '../../../domain/audit/proof.js';
import type { Locale } from '../../../domain/locale.js';
import { textIn } from '../../../domain/locale.js';
import type { AuditRecord, RecordedItem } from '../../../domain/report/audit-record.js';
import type { RecordedMetric, RecordedTrial } from '../../../domain/report/measurement-record.js';
import { sayIn, titleSpans, type Say, type Span } from './blocks.js';

/** A record as the parts of a report look at it. */
export interface View {
  readonly record: AuditRecord;
  readonly locale: Locale;
  readonly say: Say;
  /** Between the entries of a list in a line, and between a name and what is said of it. */
  readonly comma: string;
  readonly semicolon: string;
  readonly colon: string;
  readonly sectionTitle: (key: string) => string;
  /** Title and key of an item. */
  readonly itemName: (key: string) => readonly Span[];
  /** The metric as its name; one that the record lacks by its key. */
  readonly metricName: (key: string) => string;
  readonly metric: (key: string) => RecordedMetric | undefined;
  /** Trials are numbered through the report: T1, T2, … */
  readonly trialName: (id: string) => string;
  readonly trialsOf: (item: RecordedItem) => readonly RecordedTrial[];
  /** The trial that the proof of an item comes from. */
  readonly tellingTrial: (item: RecordedItem) => RecordedTrial | null;
}

export function viewOf(record: AuditRecord, locale: Locale): View {
  const sections = new Map(record.sections.map(({ key, title }) => [key, textIn(title, locale)]));
  const items = new Map(record.items.map(({ key, title }) => [key, textIn(title, locale)]));
  const metrics = new Map(record.metrics.map((metric) => [metric.key, metric]));
  const trials = new Map(record.trials.map((trial, index) => [trial.id, { trial, name: `T${index + 1}` }]));
  const trialsOf = ({ trialIds }: RecordedItem) => trialIds.flatMap((id) => trials.get(id)?.trial ?? []);
  return {
    record,
    locale,
    say: sayIn(locale),
    comma: locale === 'ZH' ? '，' : ', ',
    semicolon: locale === 'ZH' ? '；' : '; ',
    colon: locale === 'ZH' ? '：' : ': ',
    sectionTitle: (key) => sections.get(key) ?? key,
    itemName: (key) => [...titleSpans(items.get(key) ?? ''), ' ', { code: key }],
    metricName: (key) => {
      const metric = metrics.get(key);
      return metric ? textIn(metric.name, locale) : key;
    },
    metric: (key) => metrics.get(key),
    trialName: (id) => trials.get(id)?.name ?? '',
    trialsOf,
    tellingTrial: (item) => tellingTrial(trialsOf(item), record.audit.endToEndTrial),
  };
}

/** Of several series of the primary metric the one that the verdict of the trial comes from. */
export function tellingComparison(trial: RecordedTrial) {
  const primary = trial.comparisons.filter(({ role }) => role === 'PRIMARY');
  return primary.find(({ verdict }) => verdict === trial.verdict) ?? primary[0] ?? null;
}
