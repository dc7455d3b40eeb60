import { Document, isScalar, Scalar, visit } from 'yaml';
import type { BothLanguages } from '../../locale.js';
import { checklistBundle, type ChecklistBundle } from '../bundle.js';
import { readContentFile, type ContentFile, type Path } from '../content-file.js';
import { refusedSection } from '../section-key.js';
import type { ChecklistProblem, ReadChecklist } from './imported.js';
import { unstorableText } from '../../storable.js';

/** Longer texts stand in a block of their own. */
const LONG = 80;

/** Reads a checklist in the format that Tunebook exports, or finds all that is wrong with it. */
export function readBundle(text: string, fileName = 'checklist.yaml'): ReadChecklist {
  const reading = readOrRefuse(fileName, text);
  if ('problems' in reading) {
    return {
      problems: reading.problems.map(({ line, path, message }) => ({ line, message: atPath(path, message) })),
    };
  }
  const problems = [...refusedKeys(reading.read), ...keysTwice(reading.read), ...unstorable(reading.read)];
  if (problems.length > 0) return { problems };
  return { checklist: { bundle: reading.read.data, format: 'bundle', undecided: [] } };
}

/** What is too deeply nested, or repeats itself by aliases without end, is refused by the parser with an error. */
function readOrRefuse(fileName: string, text: string): ReturnType<typeof readContentFile<ChecklistBundle>> {
  try {
    return readContentFile(fileName, text, checklistBundle);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof ReferenceError)) throw cause;
    const message = { en: 'The YAML is nested too deeply or has too many aliases', zh: 'YAML 嵌套过深或别名过多' };
    return { problems: [{ file: fileName, path: '', line: null, message }] };
  }
}

/** The checklist as YAML that reads as an equal checklist: keys in the order of the schema, long texts as blocks. */
export function bundleText(bundle: ChecklistBundle): string {
  const document = new Document(checklistBundle.parse(bundle), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && isScalar(node) && typeof node.value === 'string') node.type = styleOf(node.value);
    },
  });
  return document.toString({ lineWidth: 0 });
}

function styleOf(value: string): Scalar.Type {
  if (isUnsafe.test(value)) return Scalar.QUOTE_DOUBLE;
  return value.length > LONG || value.includes('\n') ? Scalar.BLOCK_LITERAL : Scalar.PLAIN;
}

// What a block or a plain text would lose: controls, other line ends, byte order marks, halves of surrogate pairs,
// blanks before the first line's text, and lines of nothing but blanks.
const isUnsafe = /[^\P{Control}\n]|[\u2028\u2029\uFEFF]|\p{Surrogate}|^\s|[^\S\n](?:\n|$)|\n$/u;

/** Texts with characters that no database keeps. */
function unstorable(content: ContentFile<ChecklistBundle>): ChecklistProblem[] {
  const problems: ChecklistProblem[] = [];
  const look = (value: unknown, path: Path): void => {
    const fault = typeof value === 'string' ? unstorableText(value) : null;
    if (fault !== null) {
      problems.push(problemAt(content, path, fault));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) look(inner, [...path, key]);
    }
  };
  look(content.data, []);
  return problems;
}

function refusedKeys(content: ContentFile<ChecklistBundle>): ChecklistProblem[] {
  return content.data.sections.flatMap(({ key }, index) => {
    const refusal = refusedSection(key);
    return refusal ? [problemAt(content, ['sections', index, 'key'], refusal)] : [];
  });
}

function keysTwice(content: ContentFile<ChecklistBundle>): ChecklistProblem[] {
  const { sections } = content.data;
  const problems: ChecklistProblem[] = [];
  const check = (keys: readonly string[], pathOf: (index: number) => Path, message: (key: string) => BothLanguages) => {
    const seen = new Set<string>();
    keys.forEach((key, index) => {
      if (seen.has(key)) problems.push(problemAt(content, pathOf(index), message(key)));
      seen.add(key);
    });
  };
  check(
    sections.map(({ key }) => key),
    (index) => ['sections', index, 'key'],
    (key) => ({ en: `the key "${key}" is taken by another section`, zh: `键“${key}”已被另一个章节使用` }),
  );
  sections.forEach((section, at) =>
    check(
      section.items.map(({ key }) => key),
      (index) => ['sections', at, 'items', index, 'key'],
      (key) => ({
        en: `the key "${key}" is taken by another item of the section "${section.key}"`,
        zh: `键“${key}”已被章节“${section.key}”中的另一个条目使用`,
      }),
    ),
  );
  return problems;
}

function problemAt(content: ContentFile<ChecklistBundle>, path: Path, message: BothLanguages): ChecklistProblem {
  const found = content.problemAt(path, message);
  return { line: found.line, message: atPath(found.path, message) };
}

function atPath(path: string, { en, zh }: BothLanguages): BothLanguages {
  return path === '' ? { en, zh } : { en: `${path}: ${en}`, zh: `${path}：${zh}` };
}
