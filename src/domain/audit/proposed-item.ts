import { Document, isMap, isScalar, isSeq, parse, Scalar, visit, YAMLSeq } from 'yaml';
import { itemFile } from '../content/schema.js';
import type { LocalizedText } from '../locale.js';
import type { CustomItem } from './custom-item.js';

// A custom item as the file of a checklist that it is to become. Nothing is made up: what nobody said is left out, and
// named beside it.

/** The item as a file content/checklists/<slug>/<section>/<topic>.yaml, keys and styles as in the shipped files. */
export function proposedItemText(item: CustomItem): string {
  const document = new Document(fileOf(item), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string') node.type = styleOf(node.value);
    },
    Pair: (_, { key, value }) => {
      if (isScalar(key) && typeof key.value === 'string') setFlow(key.value, value);
    },
  });
  // Lists stand without blanks in their brackets, as they do in the shipped files; what a person wrote is indented
  return document
    .toString({ lineWidth: 0, singleQuote: true })
    .replace(/^(phases|frameworks|tags): \[ (.*) \]$/gm, '$1: [$2]');
}

/** Of short words one line; a metric is a line of its own. */
function setFlow(key: string, value: unknown): void {
  if (['phases', 'frameworks', 'tags'].includes(key) && value instanceof YAMLSeq) value.flow = true;
  if (key === 'metrics' && isSeq(value)) {
    for (const entry of value.items) if (isMap(entry)) entry.flow = true;
  }
}

/** As a block or plainly, unless that would lose something. */
function styleOf(value: string): Scalar.Type {
  const style = value.includes('\n') ? Scalar.BLOCK_LITERAL : Scalar.PLAIN;
  const scalar = new Scalar(value);
  scalar.type = style;
  const read: unknown = parse(new Document({ text: scalar }).toString({ lineWidth: 0 }));
  const isKept = typeof read === 'object' && read !== null && 'text' in read && read.text === value;
  return isKept && !unprintable.test(value) ? style : Scalar.QUOTE_DOUBLE;
}

/** What YAML allows in quotes only, as escapes. */
const unprintable = /[^\P{Control}\n]|[\u2028\u2029\uFEFF]/u;

/** What the check of the content asks for beside what the item says: fields, one language of a text, unknown tags. */
export function missingOf(item: CustomItem, tags: ReadonlySet<string>): string[] {
  const { error } = itemFile.safeParse(fileOf(item));
  const fields = (error?.issues ?? []).map(({ path }) => path.join('.'));
  const unknown = item.tags.filter((tag) => !tags.has(tag)).map((tag) => `tags.yaml: ${tag}`);
  return [...new Set([...fields, ...unknown])];
}

/** The fields that are known, in the order of the shipped files. */
function fileOf({ title, summary, texts, ...item }: CustomItem): Record<string, unknown> {
  const { why, check, apply, measure, avoid, rollback } = texts;
  const named = { title, summary, why, check, apply, measure, avoid, rollback };
  const { layer, bottleneck, phases, frameworks, tags, settings, metrics, effort, sources } = item;
  const rest = { layer, bottleneck, phases, frameworks, tags, settings, metrics, effort, sources };
  const fields: [string, unknown][] = [
    ...Object.entries(named).map(([name, text]): [string, unknown] => [name, inFile(text)]),
    ...Object.entries(rest),
  ];
  return Object.fromEntries(fields.filter(([, value]) => isSaid(value)));
}

function inFile(text: LocalizedText): Record<string, string> {
  const said = (['en', 'zh'] as const).flatMap((language): [string, string][] => {
    const value = text[language]?.trim() ?? '';
    // A block ends with a line end, which the content is read without
    return value === '' ? [] : [[language, value.includes('\n') ? `${value}\n` : value]];
  });
  return Object.fromEntries(said);
}

function isSaid(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== null;
}
