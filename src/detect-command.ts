import { basename } from 'node:path';
import { buffer as bytesOfStream } from 'node:stream/consumers';
import { usageError } from './commands/command-error.js';
import { textAt } from './commands/input-files.js';
import { counted } from './commands/counted.js';
import { decoded } from './decoded-text.js';
import { dataOf, withService, type LocalService } from './local-service.js';
import { OperatorError } from './platform/explain.js';

const DETECT = `
  query($content: String!) {
    detectEnvironment(content: $content) {
      summary { text } hardware { slug isGeneric } alsoPossible { slug } facts factChanges
      found { key value tool line }
      contradictions { key values { value tool line } }
      missing { key itemCount command }
      problems { line message { text } }
      removed { kind count }
    }
  }`;
const FIND = `
  query($slug: String!) { project(slug: $slug) { id environments { id name version hardware { slug } facts } } }`;
const CREATE = 'mutation($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }';
const change = (field: string) => `${field}(input: $input) {
    differences { key before after }
    audits { audit { title } counts { comesIn goesOut answerChanged recheck noLongerNeeded }
      items(effects: [RECHECK, NO_LONGER_NEEDED]) { edges { node { effects item { key } cause { text } } } } }
  }`;
const PREVIEW = `query($input: UpdateEnvironmentInput!) { change: ${change('previewEnvironmentChange')} }`;
const UPDATE = `mutation($input: UpdateEnvironmentInput!) { change: ${change('updateEnvironment')} }`;

interface FoundValue {
  readonly value: unknown;
  readonly tool: string;
  readonly line: number;
}

interface Detected {
  readonly summary: { readonly text: string };
  readonly hardware: { readonly slug: string; readonly isGeneric: boolean } | null;
  readonly alsoPossible: readonly { readonly slug: string }[];
  readonly facts: object;
  readonly factChanges: object;
  readonly found: readonly (FoundValue & { readonly key: string })[];
  readonly contradictions: readonly { readonly key: string; readonly values: readonly FoundValue[] }[];
  readonly missing: readonly { readonly key: string; readonly itemCount: number; readonly command: string | null }[];
  readonly problems: readonly { readonly line: number | null; readonly message: { readonly text: string } }[];
  readonly removed: readonly { readonly kind: string; readonly count: number }[];
}

interface Change {
  readonly differences: readonly {
    readonly key: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly audits: readonly {
    readonly audit: { readonly title: string };
    readonly counts: Readonly<Record<'comesIn' | 'goesOut' | 'answerChanged' | 'recheck' | 'noLongerNeeded', number>>;
    readonly items: {
      readonly edges: readonly {
        readonly node: { readonly item: { readonly key: string }; readonly cause: { readonly text: string } | null };
      }[];
    };
  }[];
}

export interface DetectOptions {
  readonly json?: true;
  readonly project?: string;
  readonly environment?: string;
  readonly dryRun?: true;
  readonly replace?: true;
}

interface StoredEnvironment {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly hardware: { readonly slug: string } | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A part of the text with the file that it came from. */
interface Part {
  readonly name: string | null;
  readonly firstLine: number;
}

/**
 * Prints what the output of tools says of a machine: facts with their places, what is not known, and the profile that it
 * matches. With a project the facts become its environment, or change it; what that does to its audits is printed.
 */
export async function detectMachine(files: readonly string[], options: DetectOptions): Promise<void> {
  if (options.dryRun && options.project === undefined) {
    throw usageError('--dry-run needs --project: without it nothing is written');
  }
  const { content, parts } = await read(files);
  await withService(async (service) => {
    const { detectEnvironment: detected } = dataOf<{ detectEnvironment: Detected }>(
      await service.ask(DETECT, { content }),
    );
    if (options.json) console.log(JSON.stringify(detected, null, 2));
    else print(detected, parts);
    if (detected.found.length === 0) process.exitCode = 1;
    else if (options.project !== undefined) await save(service, detected, options.project, options);
  });
}

async function read(files: readonly string[]): Promise<{ content: string; parts: readonly Part[] }> {
  if (files.length === 0)
    return { content: decoded(await bytesOfStream(process.stdin)), parts: [{ name: null, firstLine: 1 }] };
  const parts: Part[] = [];
  let content = '';
  for (const file of files) {
    const own = await textAt(file);
    parts.push({ name: basename(file), firstLine: content === '' ? 1 : content.split('\n').length });
    content += own.endsWith('\n') ? own : `${own}\n`;
  }
  return { content, parts };
}

function placeOf(line: number, parts: readonly Part[]): string {
  const part = parts.findLast(({ firstLine }) => firstLine <= line);
  const own = line - (part?.firstLine ?? 1) + 1;
  return part?.name ? `${part.name}:${own}` : `line ${own}`;
}

function print(detected: Detected, parts: readonly Part[]): void {
  const { summary, hardware, alsoPossible, found, contradictions, missing, problems, removed } = detected;
  const generic = hardware?.isGeneric ? ', which stands for its architecture' : '';
  const others = alsoPossible.length === 0 ? '' : ` (or ${alsoPossible.map(({ slug }) => slug).join(', ')})`;
  console.log(`${summary.text}; profile: ${hardware === null ? 'none' : `${hardware.slug}${generic}${others}`}`);
  table(found.map(({ key, value, tool, line }) => [key, shown(value), `${tool}, ${placeOf(line, parts)}`]));
  if (contradictions.length > 0) console.log('Contradicted, so left out:');
  for (const { key, values } of contradictions) {
    table(values.map(({ value, tool, line }) => [key, shown(value), `${tool}, ${placeOf(line, parts)}`]));
  }
  for (const { line, message } of problems) {
    console.log(`warning${line === null ? '' : ` in ${placeOf(line, parts)}`}: ${message.text}`);
  }
  if (missing.length > 0) console.log('Not known, and asked for by items of the shipped checklists:');
  table(missing.map(({ key, itemCount, command }) => [key, counted(itemCount, 'item'), command ?? '']));
  if (removed.length > 0) {
    const things = removed.map(({ kind, count }) => `${count} ${thingNames[kind]?.[count === 1 ? 0 : 1] ?? kind}`);
    console.log(`Left out: ${things.join(', ')}`);
  }
}

const thingNames: Readonly<Record<string, readonly [string, string]>> = {
  SERIAL_NUMBER: ['serial number', 'serial numbers'],
  UUID: ['UUID', 'UUIDs'],
  ADDRESS: ['address', 'addresses'],
  HOST_NAME: ['host name', 'host names'],
  USER_NAME: ['user name', 'user names'],
};

function shown(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

function table(rows: readonly (readonly string[])[]): void {
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const [first = '', second = '', third = ''] of rows) {
    console.log(`  ${first.padEnd(widths[0] ?? 0)}  ${second.padEnd(widths[1] ?? 0)}  ${third}`.trimEnd());
  }
}

/** Creates the environment, or changes it: the facts that were found over those that it has. */
async function save(
  service: LocalService,
  { hardware, facts, factChanges }: Detected,
  slug: string,
  { environment: name = 'default', dryRun, replace }: DetectOptions,
): Promise<void> {
  const { project } = dataOf<{
    project: { id: string; environments: StoredEnvironment[] } | null;
  }>(await service.ask(FIND, { slug }));
  if (!project) throw new OperatorError(`There is no project "${slug}"`);
  const found = project.environments.find((one) => one.name === name);
  const profile = hardware === null ? {} : { hardware: hardware.slug };
  if (found) {
    const input = {
      id: found.id,
      version: found.version,
      ...profile,
      ...factsFor(found, { hardware, facts, factChanges }, replace),
    };
    printChange(name, dataOf<{ change: Change }>(await service.ask(dryRun ? PREVIEW : UPDATE, { input })).change);
  } else if (!dryRun) {
    dataOf(await service.ask(CREATE, { input: { projectId: project.id, name, ...profile, facts } }));
  }
  const done = found ? 'changed' : 'created';
  console.log(
    dryRun
      ? `Nothing was written: the environment "${name}" would be ${done}.`
      : `The environment "${name}" is ${done}.`,
  );
}

/** Facts of one machine must not stay beside those of another one; what the project runs stays. */
function factsFor(
  { name, hardware: stored, facts: old }: StoredEnvironment,
  { hardware, facts, factChanges }: Pick<Detected, 'hardware' | 'facts' | 'factChanges'>,
  replace: true | undefined,
): { readonly factChanges: object } | { readonly facts: object } {
  if (stored === null || hardware === null || stored.slug === hardware.slug) return { factChanges };
  if (!replace) {
    throw new OperatorError(
      `The environment "${name}" is ${stored.slug}, and this machine is ${hardware.slug}: ` +
        'name another one with --environment, or put this machine in its place with --replace',
    );
  }
  const kept = Object.entries(old).filter(([key]) => key.startsWith('workload.') || key === 'nodes.count');
  return { facts: { ...Object.fromEntries(kept), ...facts } };
}

function printChange(name: string, { differences, audits }: Change): void {
  console.log(
    `${counted(differences.length, 'difference')} to the environment "${name}"${differences.length > 0 ? ':' : '.'}`,
  );
  table(differences.map(({ key, before, after }) => [key, `${before ?? 'not known'} -> ${after ?? 'not known'}`]));
  for (const { audit, counts, items } of audits) {
    const { comesIn, goesOut, answerChanged, recheck, noLongerNeeded } = counts;
    console.log(
      `${audit.title}: ${comesIn} come in, ${goesOut} go out, ${answerChanged} change between YES and UNKNOWN, ${recheck} to check again, ${noLongerNeeded} no longer needed`,
    );
    for (const { node } of items.edges) console.log(`  ${node.item.key}: ${node.cause?.text ?? ''}`);
  }
}
