import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import { uuidv7 } from '../../src/platform/database/id.js';
import type { TestApp } from './app.js';
import type { Team } from './given.js';

// Audits whose items are in every state there is, written as they are stored.

/** Imports a checklist with these sections, each with as many items, as somebody's own; its slug. */
export async function sectionedChecklist(
  app: TestApp,
  owner: { id: string },
  sections: Readonly<Record<string, number>>,
): Promise<string> {
  const slug = `list-${randomUUID().slice(0, 13)}`;
  const content = JSON.stringify({
    format: 'tunebook-checklist/1',
    title: { en: 'List', zh: '清单' },
    sections: Object.entries(sections).map(([key, count]) => ({
      key,
      title: { en: `Section ${key}`, zh: `章节 ${key}` },
      items: Array.from({ length: count }, (_, index) => ({
        key: `item-${index}`,
        title: { en: `Item ${index}`, zh: `条目 ${index}` },
      })),
    })),
  });
  const { data, errors } = await app
    .as(owner)
    .send('mutation($input: ImportChecklistInput!) { importChecklist(input: $input) { problems { message } } }', {
      input: { content, slug },
    });
  expect(errors).toEqual([]);
  expect(data.importChecklist).toEqual({ problems: [] });
  return slug;
}

export interface NewAudit {
  readonly checklist: string;
  readonly environmentId?: string | null;
  readonly scopeHardwareId?: string | null;
  readonly status?: 'OPEN' | 'CLOSED';
  readonly createdAt?: Date;
}

type State = Omit<Prisma.AuditItemCreateManyInput, 'auditId' | 'projectId' | 'position'>;

/** An audit whose items are as `stateOf` says, with custom items behind them in these sections; its id. */
export async function auditOf(
  { db }: TestApp,
  { project, maintainer }: Pick<Team, 'project' | 'maintainer'>,
  { checklist, ...data }: NewAudit,
  stateOf: (index: number) => Partial<State>,
  customSections: readonly string[] = [],
): Promise<string> {
  const release = await db.release.findFirstOrThrow({
    where: { checklist: { slug: checklist } },
    orderBy: { rank: 'desc' },
    include: { items: { orderBy: { position: 'asc' } } },
  });
  const audit = await db.audit.create({
    data: { projectId: project.id, releaseId: release.id, title: 'Audit', createdById: maintainer.id, ...data },
  });
  const sources = [
    ...release.items.map(({ id }) => ({ releaseItemId: id })),
    ...customSections.map((customSection, index) => ({
      customSection,
      customKey: `custom/own-${index}`,
      custom: { title: { en: `Own ${index}` } },
    })),
  ];
  await db.auditItem.createMany({
    data: sources.map((source, position) => ({
      id: uuidv7(),
      auditId: audit.id,
      projectId: project.id,
      position,
      applies: 'YES' as const,
      appliesReasons: [],
      ...source,
      ...stateOf(position),
    })),
  });
  return audit.id;
}

/** A state of an item by chance: every value of every field comes, also together with those that make no sense. */
export function randomState(random: () => number): Partial<State> {
  const one = <T>(...values: readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error('No values');
    return value;
  };
  const outcome = one(
    'NOT_ASSESSED',
    'ALREADY_IN_PLACE',
    'APPLIED',
    'APPLIED',
    'REJECTED',
    'DEFERRED',
    'NOT_APPLICABLE',
  );
  const recheck = one(null, null, null, 'CHECK_CHANGED', 'ENVIRONMENT_CHANGED', 'EXPIRED');
  return {
    applies: one('YES', 'YES', 'UNKNOWN', 'NO'),
    overruled: one(null, null, null, 'YES', 'NO'),
    work: one('TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE'),
    outcome,
    measuredProof: one(null, 'VERIFIED', 'INDICATED', 'UNVERIFIED', 'REGRESSED'),
    recheckCode: recheck,
    recheckSince: recheck === null ? null : new Date('2026-11-01T00:00:00Z'),
    recheckCause: { en: 'Because', zh: '原因' },
    dueAt: one(null, null, new Date('2020-01-01T00:00:00Z'), new Date('2120-01-01T00:00:00Z')),
    isArchived: one(false, false, false, false, true),
  };
}
