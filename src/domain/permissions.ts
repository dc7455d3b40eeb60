// What each role may do in a project: one table, asked in one place (platform/auth/access.ts).

const viewer = ['READ_PROJECT'] as const;
const contributor = [...viewer, 'WRITE_AUDITS', 'WRITE_MEASUREMENTS', 'WRITE_NOTES'] as const;
const reviewer = [...contributor, 'REVIEW_AUDITS'] as const;
const maintainer = [...reviewer, 'MANAGE_PROJECT'] as const;

const permissionsOf = {
  VIEWER: viewer,
  CONTRIBUTOR: contributor,
  REVIEWER: reviewer,
  MAINTAINER: maintainer,
} as const;

export type ProjectRole = keyof typeof permissionsOf;
export type Permission = (typeof maintainer)[number];

/** All roles there are. */
export const allRoles: readonly ProjectRole[] = ['VIEWER', 'CONTRIBUTOR', 'REVIEWER', 'MAINTAINER'];

/** All permissions there are. */
export const allPermissions: readonly Permission[] = maintainer;

/** What somebody with this role may do; nothing without a role. */
export const permissions = (role: ProjectRole | null): readonly Permission[] => (role ? permissionsOf[role] : []);

const rightsOf = {
  INGEST: ['READ_PROJECT', 'WRITE_MEASUREMENTS'],
  READ_ONLY: ['READ_PROJECT'],
} as const satisfies Record<string, readonly Permission[]>;

/** What a service token is for. */
export type TokenRight = keyof typeof rightsOf;

/** What a service token of this right may do where its creator has this role: never more than the creator. */
export function tokenPermissions(right: TokenRight, creator: ProjectRole | null): readonly Permission[] {
  return permissions(creator).filter((permission) => rightsOf[right].some((one) => one === permission));
}
