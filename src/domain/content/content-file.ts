import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { BothLanguages } from '../locale.js';

/** One thing that is wrong in content/: `path` is the place inside the file (`sections.2.key`), empty for the whole. */
export interface ContentProblem {
  readonly file: string;
  readonly path: string;
  /** Line in the file, from 1; null where there is none to name. */
  readonly line: number | null;
  readonly message: BothLanguages;
}

export type Path = readonly (string | number)[];

/** Takes a problem at a place of the file that is being checked. */
export type Report = (path: Path, message: BothLanguages) => void;

/** A file that has its shape, and can say where in it something is wrong. */
export interface ContentFile<T> {
  readonly file: string;
  readonly data: T;
  problemAt(path: Path, message: BothLanguages): ContentProblem;
}

/** Collects the problems of one file. */
export function reporter(content: ContentFile<unknown>, problems: ContentProblem[]): Report {
  return (path, message) => problems.push(content.problemAt(path, message));
}

type Reading<T> = { readonly read: ContentFile<T> } | { readonly problems: readonly ContentProblem[] };

const inChinese = z.locales.zhCN().localeError;

/** Reads YAML of a shape, or finds all that is wrong with its syntax or else with its shape. */
export function readContentFile<T>(file: string, text: string, shape: z.ZodType<T>): Reading<T> {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      const message = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? error.code;
      const line = lineCounter.linePos(error.pos[0]).line;
      return { file, path: '', line, message: { en: `not YAML: ${message}`, zh: `YAML 无法解析：${message}` } };
    });
    return { problems };
  }
  const problemAt = (path: Path, message: BothLanguages): ContentProblem => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      const offset = offsetOf(node);
      if (offset !== null) return { file, path: path.join('.'), line: lineCounter.linePos(offset).line, message };
    }
    return { file, path: path.join('.'), line: null, message };
  };
  const value: unknown = document.toJS();
  const result = shape.safeParse(value);
  if (result.success) return { read: { file, data: result.data, problemAt } };
  const english = result.error.issues.map(deepest);
  const chinese = (shape.safeParse(value, { error: inChinese }).error?.issues ?? []).map(deepest);
  const problems = english.map(({ path, message }, index) =>
    problemAt(path, { en: message, zh: chinese[index]?.message ?? message }),
  );
  return { problems };
}

const nowhere: Failure = { path: [], message: '' };

interface Failure {
  readonly path: Path;
  readonly message: string;
}

/** Of a choice that failed in every branch, tell what is wrong in the branch that got furthest. */
function deepest(issue: z.core.$ZodIssue): Failure {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code !== 'invalid_union') return { path, message: issue.message };
  const inner = issue.errors
    .flat()
    .map(deepest)
    .reduce((best, next) => (next.path.length > best.path.length ? next : best), nowhere);
  if (inner.path.length === 0) return { path, message: issue.message };
  return { path: [...path, ...inner.path], message: inner.message };
}

function offsetOf(node: unknown): number | null {
  if (typeof node !== 'object' || node === null || !('range' in node)) return null;
  const range: unknown = node.range;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : null;
}
