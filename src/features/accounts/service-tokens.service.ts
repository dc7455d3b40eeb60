import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import { requiredText } from '../../domain/text-limits.js';
import { tokenExpiry } from '../../domain/token-expiry.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import { newSecret, type NewSecret } from '../../platform/auth/service-tokens.js';
import { requireSignedIn, type Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { perRequestPages } from '../../platform/graphql/loader.js';
import type { PageRequest } from '../../platform/graphql/page.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { Project } from '../projects/projects.types.js';
import type {
  CreatedServiceToken,
  CreateServiceTokenInput,
  RevokeServiceTokenInput,
  ServiceToken,
  ServiceTokenConnection,
} from './service-tokens.types.js';

/** Most projects of one token. */
const PROJECT_LIMIT = 50;

const withProjects = { projects: { select: { projectId: true }, orderBy: { projectId: 'asc' } } } as const;
type TokenRow = Prisma.ServiceTokenGetPayload<{ include: typeof withProjects }>;

/** Tokens by which machines act. Who a token is, and what it may do, is found out in platform/auth/service-tokens.ts. */
@Injectable()
export class ServiceTokensService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly projects: ProjectsService,
  ) {}

  private readonly tokensOfProject = perRequestPages(
    async (projectIds, take, after) => {
      const projects = await this.db.project.findMany({
        where: { id: { in: [...projectIds] } },
        select: {
          id: true,
          _count: { select: { tokens: true } },
          tokens: {
            where: after === null ? {} : { serviceTokenId: { lt: after } },
            orderBy: { serviceTokenId: 'desc' },
            take,
            select: { serviceToken: { include: withProjects } },
          },
        },
      });
      return projects.map(({ id, tokens, _count }) => ({
        parentId: id,
        rows: tokens.map(({ serviceToken }) => serviceToken),
        totalCount: _count.tokens,
      }));
    },
    ({ id }) => id,
    toServiceToken,
    async (projectIds, serviceTokenId) => {
      const where = { serviceTokenId, projectId: { in: [...projectIds] } };
      const links = await this.db.serviceTokenProject.findMany({ where, select: { projectId: true } });
      return links.map(({ projectId }) => projectId);
    },
  );

  /** The tokens of a project, newest first, for whoever may manage it; null for others. */
  async ofProject(
    viewer: Viewer,
    request: object,
    parentId: string,
    page: PageRequest,
  ): Promise<ServiceTokenConnection | null> {
    if (!(await this.access.permissionsIn(parentId, viewer)).includes('MANAGE_PROJECT')) return null;
    return this.tokensOfProject(request).load({ parentId, page });
  }

  /** Those of a token's projects that the viewer may see. */
  async projectsOf(viewer: Viewer, request: object, { projectIds }: ServiceToken): Promise<Project[]> {
    const found = await Promise.all(projectIds.map((id) => this.projects.byId(request).load(id)));
    const there = found.filter((project) => project !== null);
    return this.access.allVisible(
      viewer,
      there.map((project) => ({ ...project, projectId: project.id })),
    );
  }

  /** The secret is in the answer alone: a repeated request finds the token, and has no secret to show. */
  async create(viewer: Viewer, input: CreateServiceTokenInput): Promise<CreatedServiceToken> {
    requireSignedIn(viewer);
    const projectIds = [...new Set(input.projectIds)];
    if (projectIds.length < 1 || projectIds.length > PROJECT_LIMIT) throw wrongCount(projectIds.length);
    await Promise.all(projectIds.map((id) => this.projects.require(viewer, 'MANAGE_PROJECT', id)));
    const name = requiredText(input.name, 'name');
    const expiresAt = tokenExpiry(input.expiresAt ?? null, new Date());
    const made = newSecret();
    const data = { name, right: input.right, expiresAt };
    const id = await once(this.db, viewer, 'createServiceToken', input, (tx) =>
      this.insert(tx, viewer, data, projectIds, made),
    );
    const row = await this.db.serviceToken.findUniqueOrThrow({ where: { id }, include: withProjects });
    return { token: row.digest === made.digest ? made.secret : null, serviceToken: toServiceToken(row) };
  }

  /** Ends a token at once, in all its projects: whoever manages one of them may. Again it changes nothing. */
  async revoke(viewer: Viewer, input: RevokeServiceTokenInput): Promise<ServiceToken> {
    const { id, projects } = await this.require(viewer, input.id);
    await once(this.db, viewer, 'revokeServiceToken', input, async (tx) => {
      const revokedAt = new Date();
      const { count } = await tx.serviceToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } });
      if (count > 0) {
        const change = { subject: 'serviceToken', subjectId: id, field: 'revokedAt' } as const;
        await record(
          tx,
          viewer,
          projects.map(({ projectId }) => ({ ...change, projectId, after: revokedAt.toISOString() })),
        );
      }
      return id;
    });
    return toServiceToken(await this.db.serviceToken.findUniqueOrThrow({ where: { id }, include: withProjects }));
  }

  private async insert(
    tx: Db,
    viewer: Viewer,
    data: Pick<TokenRow, 'name' | 'right' | 'expiresAt'>,
    projectIds: readonly string[],
    { prefix, digest }: NewSecret,
  ): Promise<string> {
    const { name, right, expiresAt } = data;
    const user = await tx.user.create({ data: { name, isMachine: true, locale: viewer.locale } });
    const { id } = await tx.serviceToken.create({
      data: {
        ...data,
        prefix,
        digest,
        userId: user.id,
        createdById: viewer.id,
        projects: { create: projectIds.map((projectId) => ({ projectId })) },
      },
    });
    // Members of one project do not learn by its history what others the token is for
    const after = { name, prefix, right, expiresAt: expiresAt.toISOString() };
    const change = { subject: 'serviceToken', subjectId: id, field: 'created', after } as const;
    await record(
      tx,
      viewer,
      projectIds.map((projectId) => ({ ...change, projectId })),
    );
    return id;
  }

  /** The token, if the viewer manages one of its projects; NOT_FOUND for a stranger to all of them. */
  private async require(viewer: Viewer, id: string): Promise<TokenRow> {
    const found = await this.db.serviceToken.findUnique({ where: { id }, include: withProjects });
    const granted = await Promise.all(
      (found?.projects ?? []).map(async ({ projectId }) => ({
        projectId,
        rights: await this.access.permissionsIn(projectId, viewer),
      })),
    );
    const best =
      granted.find(({ rights }) => rights.includes('MANAGE_PROJECT')) ??
      granted.find(({ rights }) => rights.length > 0);
    const hidden = notFound({ en: `There is no service token "${id}"`, zh: `没有服务令牌“${id}”` }, { id });
    return this.access.require(
      viewer,
      'MANAGE_PROJECT',
      found && best ? { ...found, projectId: best.projectId } : null,
      hidden,
    );
  }
}

function toServiceToken({ projects, ...row }: TokenRow): ServiceToken {
  return { ...row, projectIds: projects.map(({ projectId }) => projectId) };
}

function wrongCount(given: number) {
  return invalidInput(
    {
      en: `projectIds has ${given} projects; 1 to ${PROJECT_LIMIT} are needed`,
      zh: `projectIds 有 ${given} 个项目，须为 1 至 ${PROJECT_LIMIT} 个`,
    },
    { place: 'projectIds', given },
  );
}
