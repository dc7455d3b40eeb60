import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { unauthenticated, type DomainError } from '../../domain/errors.js';
import { tokenPermissions, type Permission, type ProjectRole, type TokenRight } from '../../domain/permissions.js';
import type { Db } from '../database/database.js';
import type { Viewer } from './viewer.js';

/** What every service token begins with: by it scanners for leaked secrets and the service know one. */
export const TOKEN_MARK = 'tb_';

const form = /^tb_[0-9a-f]{10}_[A-Za-z0-9_-]{43}$/;

/** The use of a token is written down again after this time. */
const USE_NOTED_MS = 60_000;

/** A secret that is shown once, and what is kept of it. */
export interface NewSecret {
  readonly secret: string;
  readonly prefix: string;
  readonly digest: string;
}

/** 256 bits that nobody can guess, so a plain SHA-256 is as good as any slow hash. */
export function newSecret(): NewSecret {
  const prefix = `${TOKEN_MARK}${randomBytes(5).toString('hex')}`;
  const secret = `${prefix}_${randomBytes(32).toString('base64url')}`;
  return { secret, prefix, digest: digestOf(secret).toString('hex') };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether two texts are equal, by digests, so that the time it takes tells nothing. */
export function isSameSecret(shown: string, kept: string): boolean {
  return timingSafeEqual(digestOf(shown), digestOf(kept));
}

/** The viewer that a token is, and writes down that it was used; null where there is none with this secret. */
export async function viewerOfToken(db: Db, shown: string, now: Date): Promise<Viewer | null> {
  if (!form.test(shown)) return null;
  const digest = digestOf(shown);
  const found = await db.serviceToken.findUnique({
    where: { digest: digest.toString('hex') },
    include: { user: { select: { name: true, locale: true } } },
  });
  if (!found || !timingSafeEqual(digest, Buffer.from(found.digest, 'hex'))) return null;
  refuseEnded(found, now);
  await noteUse(db, found, now);
  const { id, userId, user } = found;
  return { id: userId, ...user, role: 'MEMBER', tokenId: id };
}

async function noteUse(db: Db, { id, lastUsedAt }: { id: string; lastUsedAt: Date | null }, now: Date): Promise<void> {
  const before = new Date(now.getTime() - USE_NOTED_MS);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  await db.serviceToken.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: now },
  });
}

interface Ending {
  readonly prefix: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

function refuseEnded({ prefix, expiresAt, revokedAt }: Ending, now: Date): void {
  if (revokedAt !== null) throw revoked(prefix, revokedAt.toISOString());
  if (expiresAt <= now) throw expired(prefix, expiresAt.toISOString());
}

/** What a token may do, by the projects that it is for. */
export type TokenGrants = ReadonlyMap<string, readonly Permission[]>;

interface GrantRow extends Ending {
  readonly right: TokenRight;
  readonly projectId: string;
  readonly role: ProjectRole | null;
}

/**
 * What a token may do now: its right in its projects, and never more than its creator may. UNAUTHENTICATED where it ended
 * in the meantime, which whoever follows an audit for hours learns by this. One statement.
 */
export async function grantsOfToken(db: Db, tokenId: string, now: Date): Promise<TokenGrants> {
  const rows = await db.$queryRaw<GrantRow[]>`
    SELECT s.prefix, s."expiresAt", s."revokedAt", s."right"::text AS "right", p.id AS "projectId",
      (CASE WHEN c.role = 'ADMIN' THEN 'MAINTAINER' ELSE coalesce(m.role, t.role)::text END) AS role
    FROM "ServiceToken" s
    JOIN "User" c ON c.id = s."createdById"
    JOIN "ServiceTokenProject" tp ON tp."serviceTokenId" = s.id
    JOIN "Project" p ON p.id = tp."projectId"
    LEFT JOIN "ProjectMember" m ON m."projectId" = p.id AND m."userId" = c.id
    LEFT JOIN "TeamMember" t ON t."teamId" = p."teamId" AND t."userId" = c.id
    WHERE s.id = ${tokenId}`;
  for (const row of rows) refuseEnded(row, now);
  return new Map(rows.map(({ projectId, right, role }) => [projectId, tokenPermissions(right, role)]));
}

/** One text for all that is wrong, so that it tells nothing of what there is. */
export function wrongToken(): DomainError {
  return unauthenticated({
    en: 'The token is neither a service token nor the secret of this data folder',
    zh: '令牌既不是服务令牌，也不是此数据目录的密钥',
  });
}

function revoked(prefix: string, at: string): DomainError {
  return unauthenticated(
    { en: `The service token ${prefix} was revoked at ${at}`, zh: `服务令牌 ${prefix} 已于 ${at} 撤销` },
    { prefix },
  );
}

function expired(prefix: string, at: string): DomainError {
  return unauthenticated(
    { en: `The service token ${prefix} expired at ${at}`, zh: `服务令牌 ${prefix} 已于 ${at} 过期` },
    { prefix },
  );
}
