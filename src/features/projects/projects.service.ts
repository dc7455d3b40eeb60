import { Injectable } from '@nestjs/common';
import { conflict, invalidInput, notFound } from '../../domain/errors.js';
import { requiredText, optionalText } from '../../domain/text-limits.js';
import { Access } from '../../platform/auth/access.js';
import { requirePerson, type Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { constraintOf } from '../../platform/database/constraint.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import { pageOf, pageSize, startAfterOne, type Connection, type PageRequest } from '../../platform/graphql/page.js';
import { EnvironmentsService } from './environments.service.js';
import type { CreateEnvironmentInput, CreateProjectInput, Environment, Project } from './projects.types.js';

/** Projects. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly environments: EnvironmentsService,
  ) {}

  readonly byId = perRequest(async (ids: readonly string[]): Promise<(Project | null)[]> => {
    const rows = await this.db.project.findMany({ where: { id: { in: [...ids] } } });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  /** A project by its slug, if the viewer may see it. */
  async find(viewer: Viewer, slug: string): Promise<Project | null> {
    const row = await this.db.project.findUnique({ where: { slug } });
    const seen = await this.access.visible(viewer, row && { ...row, projectId: row.id });
    return seen;
  }

  /** The projects that the viewer may see, newest first. */
  async list(viewer: Viewer, page: PageRequest): Promise<Connection<Project>> {
    const first = pageSize(page.first);
    const visible = await this.access.visibleProjects(viewer);
    const mine = visible === 'ALL' ? {} : { id: { in: [...visible] } };
    const isThere = async (id: string) => (await this.db.project.count({ where: { AND: [mine, { id }] } })) > 0;
    const after = await startAfterOne(page, isThere);
    const rows = await this.db.project.findMany({
      where: { AND: [mine, after === null ? {} : { id: { lt: after } }] },
      orderBy: { id: 'desc' },
      take: first + 1,
    });
    return pageOf(
      rows,
      page,
      await this.db.project.count({ where: mine }),
      ({ id }) => id,
      (row) => row,
    );
  }

  /** Whoever creates a project is its maintainer. */
  async create(viewer: Viewer, input: CreateProjectInput): Promise<Project> {
    requirePerson(viewer);
    const slug = input.slug.trim();
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 64) {
      throw invalidInput(
        {
          en: `slug "${input.slug}" needs 1 to 64 lower-case letters, digits and single hyphens between them`,
          zh: `slug“${input.slug}”须由 1 至 64 个小写字母、数字及其间的单个连字符组成`,
        },
        { slug: input.slug },
      );
    }
    const name = requiredText(input.name, 'name');
    const description = optionalText(input.description, 'description');
    const environment = await this.environments.given(input);
    const id = await once(this.db, viewer, 'createProject', input, async (tx) => {
      const project = await this.insert(tx, { slug, name, description }, viewer);
      if (environment)
        await this.environments.insert(tx, viewer, { projectId: project.id, name: 'default', ...environment });
      return project.id;
    });
    // A repeated request may come from somebody who has lost the project meanwhile.
    const made = await this.db.project.findUniqueOrThrow({ where: { id } });
    return this.access.require(viewer, 'READ_PROJECT', { ...made, projectId: id }, noProject(id));
  }

  async createEnvironment(viewer: Viewer, input: CreateEnvironmentInput): Promise<Environment> {
    await this.require(viewer, 'MANAGE_PROJECT', input.projectId);
    const name = requiredText(input.name, 'name');
    const data = (await this.environments.given(input)) ?? { hardwareId: null, facts: {} };
    const id = await once(this.db, viewer, 'createEnvironment', input, (tx) =>
      this.environments.insert(tx, viewer, { projectId: input.projectId, name, ...data }),
    );
    return this.db.environment.findUniqueOrThrow({ where: { id } });
  }

  /** The project, if the viewer has this right in it; NOT_FOUND for a stranger. */
  async require(viewer: Viewer, needed: Parameters<Access['require']>[1], projectId: string): Promise<Project> {
    const row = await this.db.project.findUnique({ where: { id: projectId } });
    return this.access.require(viewer, needed, row && { ...row, projectId: row.id }, noProject(projectId));
  }

  private async insert(tx: Db, data: { slug: string; name: string; description: string | null }, viewer: Viewer) {
    const taken = await tx.project.findUnique({ where: { slug: data.slug } });
    if (taken) throw slugTaken(data.slug);
    try {
      const project = await tx.project.create({
        data: { ...data, members: { create: { userId: viewer.id, role: 'MAINTAINER' } } },
      });
      await record(tx, viewer, [
        { projectId: project.id, subject: 'project', subjectId: project.id, field: 'created', after: { ...data } },
      ]);
      return project;
    } catch (error) {
      if (constraintOf(error) === 'Project_slug_key') throw slugTaken(data.slug);
      throw error;
    }
  }
}

export function noProject(id: string) {
  return notFound({ en: `There is no project "${id}"`, zh: `没有项目“${id}”` }, { id });
}

function slugTaken(slug: string) {
  return conflict(
    { en: `The slug "${slug}" is taken by another project`, zh: `slug“${slug}”已被其他项目占用` },
    { current: { slug } },
  );
}
