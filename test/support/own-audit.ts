import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { BundleItem } from '../../src/domain/content/bundle.js';
import type { AuditItem, Environment } from '../../src/generated/prisma/client.js';
import type { Prisma } from '../../src/generated/prisma/client.js';
import type { TestApp } from './app.js';
import * as given from './given.js';

// Audits of checklists that a spec writes itself, for rules and relations that no shipped item has.

/** An item of such a checklist; its key is `rig/<key>`. */
export type OwnItem = Pick<BundleItem, 'key' | 'applicability' | 'recheckOn' | 'relations'> & {
  readonly title?: BundleItem['title'];
};

/** Imports a checklist with one section `rig`, as somebody's own; its slug. */
export async function ownChecklist(app: TestApp, owner: { id: string }, items: readonly OwnItem[]): Promise<string> {
  const slug = `rig-${randomUUID().slice(0, 13)}`;
  const content = JSON.stringify({
    format: 'tunebook-checklist/1',
    title: { en: 'Rig', zh: '台架' },
    sections: [
      {
        key: 'rig',
        title: { en: 'Rig', zh: '台架' },
        items: items.map((item) => ({ title: { en: `The ${item.key}`, zh: `条目 ${item.key}` }, ...item })),
      },
    ],
  });
  const { data, errors } = await app.as(owner).send(
    `mutation($input: ImportChecklistInput!) {
       importChecklist(input: $input) { itemCount problems { message } }
     }`,
    { input: { content, slug } },
  );
  expect(errors).toEqual([]);
  expect(data.importChecklist).toEqual({ itemCount: items.length, problems: [] });
  return slug;
}

/** Opens an audit of it as the contributor of a team; its id. */
export async function open(app: TestApp, team: given.Team, checklist: string, environmentId?: string): Promise<string> {
  const { data, errors } = await app
    .as(team.contributor)
    .send('mutation($input: OpenAuditInput!) { openAudit(input: $input) { id } }', {
      input: { projectId: team.project.id, checklist, environmentId },
    });
  expect(errors).toEqual([]);
  return data.openAudit.id;
}

export interface OwnAudit extends given.Team {
  readonly environment: Environment;
  readonly checklist: string;
  readonly auditId: string;
  /** The item as it is stored now, by the second half of its key. */
  item(key: string): Promise<AuditItem>;
}

/** An open audit of a checklist of one's own, in a project and an environment of its own. */
export async function ownAudit(
  app: TestApp,
  items: readonly OwnItem[],
  machine: { hardware?: string; facts?: Prisma.InputJsonObject } = {},
): Promise<OwnAudit> {
  const team = await given.project(app.db);
  const environment = await given.environment(app.db, team.project.id, { name: 'default', ...machine });
  const checklist = await ownChecklist(app, team.contributor, items);
  const auditId = await open(app, team, checklist);
  return { ...team, environment, checklist, auditId, item: (key) => itemOf(app, auditId, key) };
}

/** An item of an audit of such a checklist, as it is stored now. */
export function itemOf(app: TestApp, auditId: string, key: string): Promise<AuditItem> {
  return app.db.auditItem.findFirstOrThrow({ where: { auditId, releaseItem: { key: `rig/${key}` } } });
}

/** Says something of an item, at the version that it has. */
export async function assess(app: TestApp, viewer: { id: string }, id: string, change: object): Promise<void> {
  const { version } = await app.db.auditItem.findUniqueOrThrow({ where: { id } });
  const { errors } = await app
    .as(viewer)
    .send('mutation($input: UpdateAuditItemInput!) { updateAuditItem(input: $input) { id } }', {
      input: { id, version, ...change },
    });
  expect(errors).toEqual([]);
}
