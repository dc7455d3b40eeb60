import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the program, which holds package.json, content and prisma: the same from `src`, `dist` and a bundle. */
export const root = folderWith('package.json', dirname(fileURLToPath(import.meta.url)));

function folderWith(file: string, folder: string): string {
  if (existsSync(join(folder, file))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`No folder above ${fileURLToPath(import.meta.url)} holds ${file}`);
  return folderWith(file, parent);
}
