import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { forbidden, notFound, type DomainError } from '../../domain/errors.js';
import { permissions, type Permission, type ProjectRole } from '../../domain/permissions.js';
import { Database } from '../database/database.js';
import { grantsOfToken, type TokenGrants } from './service-tokens.js';
import { requireSignedIn, type Viewer } from './viewer.js';

/** The projects somebody may see: all of them, or these. */
export type VisibleProjects = 'ALL' | readonly string[];

/** Whose own checklists somebody may see: everybody's, or those of this person and these teams. */
export type VisibleOwners = 'ALL' | { readonly userId: string; readonly teamIds: readonly string[] };

/** Whether a checklist of this owner, or of nobody, may be seen. */
export function isVisibleTo(
  owners: VisibleOwners,
  { teamId, ownerId }: { readonly teamId: string | null; readonly ownerId: string | null },
): boolean {
  if (owners === 'ALL' || (teamId === null && ownerId === null)) return true;
  return ownerId === owners.userId || (teamId !== null && owners.teamIds.includes(teamId));
}

/** How the search index names a person or team whose own something is. */
export const ownerMark = (owner: { readonly userId: string } | { readonly teamId: string }): string =>
  'userId' in owner ? `user:${owner.userId}` : `team:${owner.teamId}`;

/** Says what a viewer may do. Rights are read once per request, since a viewer object lives as long as one. */
@Injectable()
export class Access {
  private readonly owners = new WeakMap<Viewer, Promise<VisibleOwners>>();
  private readonly granted = new WeakMap<Viewer, DataLoader<string, readonly Permission[]>>();
  private readonly tokens = new WeakMap<Viewer, Promise<TokenGrants>>();

  constructor(private readonly db: Database) {}

  /**
   * Gives back what was found if the viewer may. A stranger gets `hidden`, as if nothing were there; a member without
   * the right gets FORBIDDEN; nobody in particular gets UNAUTHENTICATED.
   */
  async require<T extends { projectId: string }>(
    viewer: Viewer,
    needed: Permission,
    found: T | null,
    hidden: DomainError,
  ): Promise<T> {
    requireSignedIn(viewer);
    const granted = found ? await this.permissionsIn(found.projectId, viewer) : [];
    if (!found || !granted.includes('READ_PROJECT')) throw hidden;
    if (!granted.includes(needed)) {
      throw forbidden(
        { en: `This needs the right ${needed} in the project`, zh: `此操作需要项目权限 ${needed}` },
        { needed },
      );
    }
    return found;
  }

  /** What was found, or null where the viewer may not see it. Objects of no project are for everybody. */
  async visible<T extends { projectId: string | null }>(viewer: Viewer, found: T | null): Promise<T | null> {
    if (!found) return null;
    if (found.projectId === null) return found;
    return (await this.permissionsIn(found.projectId, viewer)).includes('READ_PROJECT') ? found : null;
  }

  /** Those of the objects that the viewer may see, in their order. */
  async allVisible<T extends { projectId: string | null }>(viewer: Viewer, found: readonly T[]): Promise<T[]> {
    const seen = await Promise.all(found.map((one) => this.visible(viewer, one)));
    return seen.filter((one) => one !== null);
  }

  permissionsIn(projectId: string, viewer: Viewer): Promise<readonly Permission[]> {
    let loader = this.granted.get(viewer);
    if (!loader) {
      loader = new DataLoader((ids: readonly string[]) => this.grantedIn(ids, viewer));
      this.granted.set(viewer, loader);
    }
    return loader.load(projectId);
  }

  async visibleProjects(viewer: Viewer): Promise<VisibleProjects> {
    if (viewer.role === 'ADMIN') return 'ALL';
    if (viewer.role === 'ANONYMOUS') return [];
    if (viewer.tokenId !== undefined) {
      const grants = await this.grantsOf(viewer, viewer.tokenId);
      return [...grants].filter(([, granted]) => granted.includes('READ_PROJECT')).map(([id]) => id);
    }
    const projects = await this.db.project.findMany({
      where: {
        OR: [{ members: { some: { userId: viewer.id } } }, { team: { members: { some: { userId: viewer.id } } } }],
      },
      select: { id: true },
    });
    return projects.map(({ id }) => id);
  }

  /** Read once per request, as roles are. */
  visibleOwners(viewer: Viewer): Promise<VisibleOwners> {
    const known = this.owners.get(viewer);
    if (known) return known;
    const read = this.readOwners(viewer);
    this.owners.set(viewer, read);
    return read;
  }

  private async readOwners(viewer: Viewer): Promise<VisibleOwners> {
    if (viewer.role === 'ADMIN') return 'ALL';
    if (viewer.role === 'ANONYMOUS') return { userId: '', teamIds: [] };
    const teams = await this.db.teamMember.findMany({ where: { userId: viewer.id }, select: { teamId: true } });
    return { userId: viewer.id, teamIds: teams.map(({ teamId }) => teamId) };
  }

  /** All that the search index may show somebody of what is not for everybody: projects, and marks of owners. */
  async visibleInSearch(viewer: Viewer): Promise<'ALL' | readonly string[]> {
    const [projects, owners] = [await this.visibleProjects(viewer), await this.visibleOwners(viewer)];
    if (projects === 'ALL' || owners === 'ALL') return 'ALL';
    if (viewer.role === 'ANONYMOUS') return projects;
    const teams = owners.teamIds.map((teamId) => ownerMark({ teamId }));
    return [...projects, ownerMark({ userId: owners.userId }), ...teams];
  }

  /** The team of this slug if the viewer may manage what is its; a stranger gets NOT_FOUND, a member FORBIDDEN. */
  async requireTeam(viewer: Viewer, slug: string): Promise<{ id: string }> {
    requireSignedIn(viewer);
    const team = await this.db.team.findUnique({
      where: { slug },
      select: { id: true, members: { where: { userId: viewer.id }, select: { role: true } } },
    });
    const role = viewer.role === 'ADMIN' ? 'MAINTAINER' : team?.members[0]?.role;
    if (!team || !role) {
      throw notFound({ en: `There is no team "${slug}"`, zh: `没有团队“${slug}”` }, { team: slug });
    }
    if (!permissions(role).includes('MANAGE_PROJECT')) {
      throw forbidden(
        { en: `This needs the role MAINTAINER in the team "${slug}"`, zh: `此操作需要团队“${slug}”的 MAINTAINER 角色` },
        { needed: 'MAINTAINER' },
      );
    }
    return { id: team.id };
  }

  private async grantedIn(projectIds: readonly string[], viewer: Viewer): Promise<(readonly Permission[])[]> {
    if (viewer.tokenId !== undefined) {
      const grants = await this.grantsOf(viewer, viewer.tokenId);
      return projectIds.map((id) => grants.get(id) ?? []);
    }
    return (await this.rolesIn(projectIds, viewer)).map(permissions);
  }

  private grantsOf(viewer: Viewer, tokenId: string): Promise<TokenGrants> {
    let grants = this.tokens.get(viewer);
    if (!grants) {
      grants = grantsOfToken(this.db, tokenId, new Date());
      this.tokens.set(viewer, grants);
    }
    return grants;
  }

  /** A direct grant stands before one by the team. One statement, because nearly every request needs it. */
  private async rolesIn(projectIds: readonly string[], viewer: Viewer): Promise<(ProjectRole | null)[]> {
    if (viewer.role === 'ADMIN') return projectIds.map(() => 'MAINTAINER');
    if (viewer.role === 'ANONYMOUS') return projectIds.map(() => null);
    const rows = await this.db.$queryRaw<{ id: string; role: ProjectRole | null }[]>`
      SELECT p.id, coalesce(m.role, t.role)::text AS role
      FROM "Project" p
      LEFT JOIN "ProjectMember" m ON m."projectId" = p.id AND m."userId" = ${viewer.id}
      LEFT JOIN "TeamMember" t ON t."teamId" = p."teamId" AND t."userId" = ${viewer.id}
      WHERE p.id = ANY (${[...projectIds]})`;
    const byId = new Map(rows.map(({ id, role }) => [id, role]));
    return projectIds.map((id) => byId.get(id) ?? null);
  }
}
