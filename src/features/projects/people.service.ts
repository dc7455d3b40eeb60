import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../domain/errors.js';
import { permissions, type Permission, type ProjectRole } from '../../domain/permissions.js';
import { Database } from '../../platform/database/database.js';
import { oneByKey, perRequest } from '../../platform/graphql/loader.js';
import type { Person } from './projects.types.js';

/** Somebody with what they may do in one project. */
export interface Member extends Person {
  readonly role: ProjectRole;
}

/** The people of projects: who can be given work, mentioned, or asked for a review. */
@Injectable()
export class PeopleService {
  constructor(private readonly db: Database) {}

  readonly byId = perRequest(async (ids: readonly string[]): Promise<(Person | null)[]> => {
    const rows = await this.db.user.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, name: true, isMachine: true },
    });
    return oneByKey(ids, rows, ({ id }) => id);
  });

  /**
   * Everybody with a role in the project, and the administrators, by name. A direct grant stands before one by the team.
   * No machine is among them.
   */
  async ofProject(projectId: string): Promise<Member[]> {
    return this.db.$queryRaw<Member[]>`
      SELECT u.id, u.name, u."isMachine",
        (CASE WHEN u.role = 'ADMIN' THEN 'MAINTAINER' ELSE coalesce(m.role, t.role)::text END) AS role
      FROM "Project" p
      CROSS JOIN "User" u
      LEFT JOIN "ProjectMember" m ON m."projectId" = p.id AND m."userId" = u.id
      LEFT JOIN "TeamMember" t ON t."teamId" = p."teamId" AND t."userId" = u.id
      WHERE p.id = ${projectId} AND NOT u."isMachine" AND (u.role = 'ADMIN' OR coalesce(m.role, t.role) IS NOT NULL)
      ORDER BY u.name, u.id`;
  }

  /** The ids of the machines that have, or had, a service token for the project. */
  async machinesOf(projectId: string): Promise<ReadonlySet<string>> {
    const tokens = await this.db.serviceToken.findMany({
      where: { projects: { some: { projectId } } },
      select: { userId: true },
    });
    return new Set(tokens.map(({ userId }) => userId));
  }

  /** The member of the project with this id and right; INVALID_INPUT names the place and the id. */
  async require(projectId: string, userId: string, place: string, needed: Permission): Promise<Member> {
    const found = (await this.ofProject(projectId)).find(({ id }) => id === userId);
    if (found && permissions(found.role).includes(needed)) return found;
    throw invalidInput(
      {
        en: `${place} "${userId}" is nobody with the right ${needed} in this project; Project.people lists who is`,
        zh: `${place}“${userId}”在该项目中没有权限 ${needed}；可用 Project.people 查询`,
      },
      { place, id: userId, needed },
    );
  }

  /** As `require`, for whoever is to be given work; nobody is asked of where nobody is named. */
  async requireAssignee(projectId: string, assigneeId: string | null | undefined): Promise<void> {
    if (assigneeId === null || assigneeId === undefined) return;
    await this.require(projectId, assigneeId, 'assigneeId', 'WRITE_AUDITS');
  }
}
