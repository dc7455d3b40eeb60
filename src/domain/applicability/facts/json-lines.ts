import type { JsonBlock, ToolText } from './reader.js';

interface Frame {
  readonly path: string;
  readonly isArray: boolean;
  next: string;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The line of every value of a JSON text, by its path: `gpu_data/0/asic/market_name`. Commands print JSON in one line or
 * indented, and a finding names its line.
 */
export function jsonLines(text: ToolText, block: JsonBlock): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const frames: Frame[] = [];
  for (let line = block.firstLine; line <= block.lastLine; line += 1) {
    for (const [found] of (text.lines[line - 1] ?? '').matchAll(token)) {
      const path = take(frames, found);
      if (path !== null && !lines.has(path)) lines.set(path, line);
      // What follows the value in its last line is not JSON
      if (frames.length === 0) return lines;
    }
  }
  return lines;
}

/** The path of the value that begins with this token, null where none does. */
function take(frames: Frame[], found: string): string | null {
  const top = frames.at(-1);
  if (found === '{' || found === '[') {
    const path = top ? join(top.path, top.next) : '';
    frames.push({ path, isArray: found === '[', next: found === '[' ? '0' : '' });
    return path;
  }
  if (found === '}' || found === ']') frames.pop();
  else if (found === ',' && top?.isArray) top.next = String(Number(top.next) + 1);
  else if (found === ':' && top) return join(top.path, top.next);
  else if (top && !top.isArray && found.startsWith('"')) top.next = found.slice(1, -1);
  return null;
}

export const join = (path: string, key: string): string => (path === '' ? key : `${path}/${key}`);

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
