import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { textAt } from './commands/input-files.js';
import { counted } from './commands/counted.js';
import { dataOf, withService } from './local-service.js';
import { OperatorError } from './platform/explain.js';

const IMPORT = `
  mutation($input: ImportChecklistInput!) {
    importChecklist(input: $input) {
      format slug version title { text } itemCount bilingualCount isNew undecidedCount
      sections { key title { text } itemCount items { key title { en zh } } }
      undecided { line message text }
      problems { line message }
    }
  }`;
const EXPORT = 'query($slug: String!, $version: String) { checklist(slug: $slug, version: $version) { bundle } }';

interface ImportAnswer {
  readonly importChecklist: {
    readonly format: string | null;
    readonly slug: string | null;
    readonly version: string | null;
    readonly title: { readonly text: string } | null;
    readonly itemCount: number;
    readonly bilingualCount: number;
    readonly isNew: boolean;
    readonly undecidedCount: number;
    readonly sections: readonly {
      readonly key: string;
      readonly title: { readonly text: string };
      readonly itemCount: number;
      readonly items: readonly {
        readonly key: string;
        readonly title: { readonly en: string | null; readonly zh: string | null };
      }[];
    }[];
    readonly undecided: readonly { readonly line: number; readonly message: string; readonly text: string }[];
    readonly problems: readonly { readonly line: number | null; readonly message: string }[];
  };
}

export interface ChecklistImportOptions {
  readonly format?: string;
  readonly slug?: string;
  readonly release?: string;
  readonly team?: string;
  readonly dryRun?: true;
  readonly items?: true;
}

/** Prints what a checklist file holds and what could not be decided, and writes it as a private checklist. */
export async function importChecklist(
  file: string,
  { format, release, items, ...options }: ChecklistImportOptions,
): Promise<void> {
  const content = await textAt(file);
  const input = {
    content,
    fileName: basename(file),
    ...(format === undefined ? {} : { format: format.toUpperCase().replaceAll('-', '_') }),
    ...(release === undefined ? {} : { version: release }),
    ...options,
  };
  const { importChecklist: report } = await withService(async (service) =>
    dataOf<ImportAnswer>(await service.ask(IMPORT, { input })),
  );
  if (report.problems.length > 0) {
    const lines = report.problems.map(({ line, message }) => `  ${line === null ? '' : `line ${line}: `}${message}`);
    throw new OperatorError([`${file} cannot be imported:`, ...lines].join('\n'));
  }
  console.log(`${file}: ${report.format?.toLowerCase().replaceAll('_', ' ')}, “${report.title?.text}”`);
  for (const section of report.sections) {
    console.log(`  ${section.key}: ${counted(section.itemCount, 'item')}, “${section.title.text}”`);
    if (!items) continue;
    for (const { key, title } of section.items)
      console.log(`    ${key}: ${[title.en, title.zh].filter(Boolean).join(' / ')}`);
  }
  console.log(
    `${counted(report.sections.length, 'section')}, ${counted(report.itemCount, 'item')}, ${report.bilingualCount} with both titles`,
  );
  if (report.undecidedCount > 0) console.log(`${counted(report.undecidedCount, 'place')} could not be decided:`);
  for (const { line, message, text } of report.undecided) console.log(`  line ${line}: ${message} “${text}”`);
  console.log(outcomeOf(report, options.dryRun));
}

function outcomeOf({ slug, version, isNew }: ImportAnswer['importChecklist'], dryRun: true | undefined): string {
  if (dryRun) return `Nothing was written. It would be release ${version} of "${slug}".`;
  return isNew
    ? `Release ${version} of "${slug}" is written.`
    : `Release ${version} of "${slug}" says the same already.`;
}

/** Writes a checklist as a YAML bundle to a file, or prints it. */
export async function exportChecklist(slug: string, options: { release?: string; output?: string }): Promise<void> {
  const { checklist } = await withService(async (service) =>
    dataOf<{ checklist: { bundle: string } | null }>(
      await service.ask(EXPORT, { slug, version: options.release ?? null }),
    ),
  );
  if (!checklist)
    throw new OperatorError(`There is no checklist "${slug}"${options.release ? ` ${options.release}` : ''}`);
  if (options.output === undefined) process.stdout.write(checklist.bundle);
  else await writeFile(options.output, checklist.bundle);
}
