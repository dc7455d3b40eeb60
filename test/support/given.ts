import { randomUUID } from 'node:crypto';
import type { Audit, AuditItem, Environment, Project, User } from '../../src/generated/prisma/client.js';
import type { ProjectRole, TokenRight } from '../../src/domain/permissions.js';
import type { Prisma } from '../../src/generated/prisma/client.js';
import { newSecret } from '../../src/platform/auth/service-tokens.js';
import type { Database } from '../../src/platform/database/database.js';

// Makes what a spec needs beside what it is about. Each makes its own project, and nothing is cleaned up.

/** A new user without any role. */
export function user(db: Database, name = 'Somebody'): Promise<User> {
  return db.user.create({ data: { name } });
}

export interface Team {
  readonly project: Project;
  readonly viewer: User;
  readonly contributor: User;
  readonly reviewer: User;
  readonly maintainer: User;
  readonly stranger: User;
}

/** A project with one member of each role, and somebody who is none. */
export async function project(db: Database, data: { slug?: string; name?: string } = {}): Promise<Team> {
  const slug = data.slug ?? `project-${randomUUID().slice(0, 13)}`;
  const found = await db.project.create({ data: { slug, name: data.name ?? 'Project' } });
  const member = async (role: ProjectRole): Promise<User> => {
    const one = await user(db, role.toLowerCase());
    await db.projectMember.create({ data: { projectId: found.id, userId: one.id, role } });
    return one;
  };
  return {
    project: found,
    viewer: await member('VIEWER'),
    contributor: await member('CONTRIBUTOR'),
    reviewer: await member('REVIEWER'),
    maintainer: await member('MAINTAINER'),
    stranger: await user(db, 'stranger'),
  };
}

export interface GivenAudit extends Team {
  readonly audit: Audit;
  /** In the order of the checklist. */
  readonly items: readonly AuditItem[];
  item(key: string): AuditItem;
}

/** An audit of the shipped checklist in a project of its own. */
export async function audit(
  db: Database,
  { status = 'OPEN', hardware = null }: { status?: 'OPEN' | 'CLOSED'; hardware?: string | null } = {},
): Promise<GivenAudit> {
  const team = await project(db);
  const release = await db.release.findFirstOrThrow({
    where: { checklist: { slug: 'ai-systems-performance' } },
    orderBy: { rank: 'desc' },
    include: { items: { orderBy: { position: 'asc' } } },
  });
  const profile = hardware === null ? null : await db.hardwareProfile.findUniqueOrThrow({ where: { slug: hardware } });
  const environment = await db.environment.create({
    data: { projectId: team.project.id, name: 'default', hardwareId: profile?.id ?? null, facts: {} },
  });
  const made = await db.audit.create({
    data: {
      projectId: team.project.id,
      releaseId: release.id,
      environmentId: environment.id,
      scopeHardwareId: profile?.id ?? null,
      title: 'Audit',
      status,
      createdById: team.maintainer.id,
      items: {
        create: release.items.map(({ id, position }) => ({
          projectId: team.project.id,
          releaseItemId: id,
          position,
          applies: 'YES' as const,
          appliesReasons: [] as Prisma.InputJsonArray,
        })),
      },
    },
    include: { items: { orderBy: { position: 'asc' }, include: { releaseItem: true } } },
  });
  const { items, ...own } = made;
  return {
    ...team,
    audit: own,
    items,
    item: (key) => {
      const found = items.find(({ releaseItem }) => releaseItem?.key === key);
      if (!found) throw new Error(`No item ${key}`);
      return found;
    },
  };
}

export interface GivenRun {
  /** One value for each metric key. */
  readonly values: Readonly<Record<string, number>>;
  readonly session?: string;
  readonly environment?: Prisma.InputJsonObject;
  readonly workload?: Prisma.InputJsonObject;
  readonly variant?: string;
  readonly status?: 'OK' | 'PARTIAL' | 'FAILED';
}

/** A run of a project as an import leaves it, in a session of its own unless one is given. */
export async function run(db: Database, { project: { id }, contributor }: Team, data: GivenRun): Promise<string> {
  const { values, session = randomUUID(), environment = {}, workload = {}, variant = null, status = 'OK' } = data;
  const metrics = await db.metric.findMany({ where: { key: { in: Object.keys(values) }, scope: '' } });
  const made = await db.run.create({
    data: {
      projectId: id,
      createdById: contributor.id,
      source: 'IMPORT',
      status,
      session,
      environment,
      workload,
      variant,
      observations: {
        create: metrics.map(({ id: metricId, key }, position) => ({
          metricId,
          position,
          dimensions: {},
          seriesKey: '',
          value: values[key] ?? 0,
        })),
      },
    },
  });
  return made.id;
}

/** Runs of one metric, each in a session of its own. */
export async function runs(db: Database, team: Team, metric: string, values: readonly number[]): Promise<string[]> {
  const made: string[] = [];
  for (const value of values) made.push(await run(db, team, { values: { [metric]: value } }));
  return made;
}

/** Somebody whose language is Chinese, with a role in the project. */
export async function chineseMember(db: Database, projectId: string, role: ProjectRole = 'CONTRIBUTOR'): Promise<User> {
  const one = await db.user.create({ data: { name: '成员', locale: 'ZH' } });
  await db.projectMember.create({ data: { projectId, userId: one.id, role } });
  return one;
}

/** A further environment of a project. */
export async function environment(
  db: Database,
  projectId: string,
  data: { name?: string; hardware?: string; facts?: Prisma.InputJsonObject } = {},
): Promise<Environment> {
  const { name = `environment-${randomUUID().slice(0, 8)}`, hardware, facts = {} } = data;
  const profile = hardware ? await db.hardwareProfile.findUniqueOrThrow({ where: { slug: hardware } }) : null;
  return db.environment.create({ data: { projectId, name, hardwareId: profile?.id ?? null, facts } });
}

/** The item with this key in another open audit of the same project; its id. */
export async function anotherItem(db: Database, of: GivenAudit, key: string): Promise<string> {
  const { releaseId, createdById, projectId } = of.audit;
  const made = await db.audit.create({
    data: {
      projectId,
      releaseId,
      createdById,
      title: 'Another audit',
      items: {
        create: {
          projectId,
          releaseItemId: of.item(key).releaseItemId,
          position: 0,
          applies: 'YES',
          appliesReasons: [],
        },
      },
    },
    include: { items: true },
  });
  const [only] = made.items;
  if (!only) throw new Error('The audit has no item');
  return only.id;
}

export interface GivenToken {
  readonly id: string;
  readonly userId: string;
  readonly secret: string;
}

/** A service token for projects, made by somebody, as `createServiceToken` leaves it. */
export async function token(
  db: Database,
  creator: { readonly id: string },
  projectIds: readonly string[],
  { right = 'INGEST', expiresAt = new Date('2100-01-01') }: { right?: TokenRight; expiresAt?: Date } = {},
): Promise<GivenToken> {
  const { secret, prefix, digest } = newSecret();
  const { id: userId } = await db.user.create({ data: { name: 'nightly', isMachine: true } });
  const { id } = await db.serviceToken.create({
    data: {
      name: 'nightly',
      prefix,
      digest,
      right,
      expiresAt,
      userId,
      createdById: creator.id,
      projects: { create: projectIds.map((projectId) => ({ projectId })) },
    },
  });
  return { id, userId, secret };
}
