import { expect } from '@jest/globals';
import type { BundleItem } from '../../src/domain/content/bundle.js';
import type { TestApp } from './app.js';

/** Imports a release of somebody's own checklist, with its items in sections of their names: `rig/engine` is in `rig`. */
export async function importRelease(
  app: TestApp,
  owner: { readonly id: string },
  { slug, version, items }: { readonly slug: string; readonly version: string; readonly items: readonly BundleItem[] },
): Promise<void> {
  const names = [...new Set(items.map(({ key }) => key.split('/')[0] ?? ''))];
  const sections = names.map((name) => ({
    key: name,
    title: { en: `Section ${name}`, zh: `章节 ${name}` },
    items: items
      .filter(({ key }) => key.startsWith(`${name}/`))
      .map((item) => ({ ...item, key: item.key.slice(name.length + 1) })),
  }));
  const content = JSON.stringify({ format: 'tunebook-checklist/1', title: { en: 'Rig', zh: '台架' }, sections });
  const { data, errors } = await app
    .as(owner)
    .send(
      'mutation($input: ImportChecklistInput!) { importChecklist(input: $input) { version itemCount problems { message } } }',
      { input: { content, slug, version } },
    );
  expect(errors).toEqual([]);
  expect(data.importChecklist).toEqual({ version, itemCount: items.length, problems: [] });
}
