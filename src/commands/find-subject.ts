import { dataOf, type LocalService } from '../local-service.js';
import { CommandError, exit } from './command-error.js';

/** A trial that was named, as far as adding runs to it needs. */
export interface FoundTrial {
  readonly id: string;
  readonly beforeRunIds: readonly string[];
  readonly afterRunIds: readonly string[];
  /** Null while the trial is planned: it has no runs. */
  readonly verdict: string | null;
  /** Key of its primary metric. */
  readonly metric: string;
  readonly auditItem: PlaceOfTrials;
}

/** The item that a trial is of. */
export interface PlaceOfTrials {
  readonly isArchived: boolean;
  readonly audit: { readonly status: string; readonly project: { readonly slug: string } };
}

interface ListedAudit {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

interface ListedItem {
  readonly id: string;
  readonly item: { readonly key: string };
  readonly trials?: readonly {
    readonly id: string;
    readonly hypothesis: string | null;
    readonly verdict: string | null;
  }[];
}

interface Page<T> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: T }[];
}

const PAGE = 'pageInfo { hasNextPage endCursor }';
const TRIAL = `
  query($id: ID!) {
    trial(id: $id) {
      id verdict primaryMetric { key } beforeRuns { id } afterRuns { id }
      auditItem { isArchived audit { status project { slug } } }
    }
  }`;
const ITEM = `
  query($id: ID!) { auditItem(id: $id) { id isArchived audit { status project { slug } } } }`;
const AUDITS = `
  query($slug: String!, $after: String) {
    project(slug: $slug) { audits(first: 100, after: $after) { ${PAGE} edges { node { id title status } } } }
  }`;
const ITEMS = `
  query($id: ID!, $text: String, $after: String) {
    audit(id: $id) {
      items(first: 500, after: $after, filter: { text: $text }) { ${PAGE} edges { node { id item { key } } } }
    }
  }`;
const TRIALS = `
  query($id: ID!, $after: String) {
    audit(id: $id) {
      items(first: 500, after: $after) {
        ${PAGE} edges { node { id item { key } trials { id hypothesis verdict } } }
      }
    }
  }`;

/** The trial of the project with this id, or with this name, which is its hypothesis or the first line of that. */
export async function findTrial(service: LocalService, slug: string, idOrName: string): Promise<FoundTrial> {
  const known = await trialWithId(service, slug, idOrName);
  if (known) return known;
  const wanted = spaced(idOrName);
  const found: { readonly id: string; readonly line: string }[] = [];
  for (const audit of await auditsOf(service, slug)) {
    for (const { item, trials = [] } of await itemsOf(service, TRIALS, { id: audit.id })) {
      for (const { id, hypothesis, verdict } of trials) {
        if (!namesOf(hypothesis).includes(wanted)) continue;
        found.push({ id, line: `${id}  ${verdict ?? 'planned'}  ${item.key}  in the audit "${audit.title}"` });
      }
    }
  }
  const id = onlyOne(found, {
    none: `There is no trial "${idOrName}" in the project "${slug}", neither by its id nor by its hypothesis`,
    several: `Several trials are named "${idOrName}": give the id of one`,
  });
  const trial = await trialWithId(service, slug, id);
  if (trial) return trial;
  throw new CommandError(exit.REFUSED, `There is no trial "${id}", or it may not be seen`);
}

/** The id of the audit item with this id, or with this key in an open audit of the project. */
export async function findItem(
  service: LocalService,
  slug: string,
  { item: idOrKey, audit: wanted }: { readonly item: string; readonly audit: string | null },
): Promise<string> {
  const auditItem = await itemWithId(service, idOrKey);
  if (auditItem) {
    refuseOtherProject(auditItem.audit.project.slug, slug, `The item "${idOrKey}"`);
    refuseClosed(auditItem);
    return auditItem.id;
  }
  const all = await auditsOf(service, slug);
  const audits = all.filter(({ id, title }) => wanted === null || id === wanted || spaced(title) === spaced(wanted));
  if (audits.length === 0) {
    const which = wanted === null ? 'no audit' : `no audit "${wanted}"`;
    throw new CommandError(exit.REFUSED, `There is ${which} in the project "${slug}"`);
  }
  const found: { readonly id: string; readonly line: string; readonly status: string }[] = [];
  for (const { id: auditId, title, status } of audits) {
    const items = await itemsOf(service, ITEMS, { id: auditId, text: idOrKey });
    for (const { id } of items.filter(({ item }) => item.key === idOrKey)) {
      found.push({ id, line: `${id}  in the audit "${title}" (${auditId})`, status });
    }
  }
  const open = found.filter(({ status }) => status === 'OPEN');
  return onlyOne(open, {
    none:
      found.length > 0
        ? `The item "${idOrKey}" is in closed audits only: open one again, or open another`
        : `There is no item "${idOrKey}" in the audits of "${slug}", neither by its id nor by its key`,
    several: `Several open audits have the item "${idOrKey}": name one by --audit, or give the id of its item`,
  });
}

async function itemWithId(service: LocalService, id: string) {
  type Found = PlaceOfTrials & { readonly id: string };
  return dataOf<{ auditItem: Found | null }>(await service.ask(ITEM, { id })).auditItem;
}

/** Refuses what takes no trial any more. */
export function refuseClosed({ isArchived, audit }: PlaceOfTrials): void {
  if (isArchived) throw new CommandError(exit.REFUSED, 'The item is archived: it can be read, and not changed');
  if (audit.status !== 'OPEN') throw new CommandError(exit.REFUSED, 'The audit is closed; a maintainer can reopen it');
}

async function trialWithId(service: LocalService, slug: string, id: string): Promise<FoundTrial | null> {
  const { trial } = dataOf<{
    trial: {
      id: string;
      verdict: string | null;
      primaryMetric: { key: string };
      beforeRuns: readonly { id: string }[];
      afterRuns: readonly { id: string }[];
      auditItem: PlaceOfTrials;
    } | null;
  }>(await service.ask(TRIAL, { id }));
  if (!trial) return null;
  refuseOtherProject(trial.auditItem.audit.project.slug, slug, `The trial "${id}"`);
  const idsOf = (runs: readonly { id: string }[]) => runs.map((run) => run.id);
  const { verdict, primaryMetric, beforeRuns, afterRuns } = trial;
  return {
    id: trial.id,
    verdict,
    metric: primaryMetric.key,
    auditItem: trial.auditItem,
    beforeRunIds: idsOf(beforeRuns),
    afterRunIds: idsOf(afterRuns),
  };
}

function refuseOtherProject(own: string, slug: string, what: string): void {
  if (own !== slug) throw new CommandError(exit.REFUSED, `${what} is of the project "${own}", not of "${slug}"`);
}

async function auditsOf(service: LocalService, slug: string): Promise<readonly ListedAudit[]> {
  return allOf(async (after) => {
    const { project } = dataOf<{ project: { audits: Page<ListedAudit> } | null }>(
      await service.ask(AUDITS, { slug, after }),
    );
    return project?.audits ?? null;
  });
}

async function itemsOf(
  service: LocalService,
  query: string,
  variables: { readonly id: string; readonly text?: string },
): Promise<readonly ListedItem[]> {
  return allOf(async (after) => {
    const { audit } = dataOf<{ audit: { items: Page<ListedItem> } | null }>(
      await service.ask(query, { ...variables, after }),
    );
    return audit?.items ?? null;
  });
}

async function allOf<T>(pageAfter: (after: string | null) => Promise<Page<T> | null>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let after: string | null = null; ;) {
    const page: Page<T> | null = await pageAfter(after);
    all.push(...(page?.edges ?? []).map(({ node }) => node));
    if (!page?.pageInfo.hasNextPage) return all;
    after = page.pageInfo.endCursor;
  }
}

function onlyOne(
  found: readonly { readonly id: string; readonly line: string }[],
  { none, several }: { readonly none: string; readonly several: string },
): string {
  const [only, ...others] = found;
  if (!only) throw new CommandError(exit.REFUSED, none);
  if (others.length === 0) return only.id;
  throw new CommandError(exit.REFUSED, [several, ...found.map(({ line }) => `  ${line}`)].join('\n'));
}

function namesOf(hypothesis: string | null): readonly string[] {
  const text = hypothesis?.trim() ?? '';
  return text === '' ? [] : [spaced(text), spaced(text.split('\n')[0] ?? '')];
}

const spaced = (text: string): string => text.trim().replace(/\s+/g, ' ');
