import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { root } from '../../platform/root.js';

/** Injection token of the folder that content is loaded from. */
export const CONTENT_FOLDER = Symbol('CONTENT_FOLDER');

/** The content that comes with the program, at the top of the repository. */
export const shippedContent = join(root, 'content');

/** The files of a content folder by their path in it, with `/` between the parts. */
export async function readContentFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(yaml|json)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith('schema/'))
    .sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']));
}

/** SHA-256 over all files: equal for equal content, so that a second start need not read any of it. */
export function digestOfFiles(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [path, text] of files) hash.update(`${path}\0${text.length}\0${text}\0`);
  return hash.digest('hex');
}
