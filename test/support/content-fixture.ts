import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const fixtures = join(process.cwd(), 'test', 'fixtures', 'content');

/** The files of a content fixture by their path in it. */
export function contentFixture(name: string): Map<string, string> {
  const root = join(fixtures, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')]));
}
