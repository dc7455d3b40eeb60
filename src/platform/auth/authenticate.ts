import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unauthenticated } from '../../domain/errors.js';
import type { Locale } from '../../domain/locale.js';
import { Database } from '../database/database.js';
import type { Viewer } from './viewer.js';

/** Id of the one viewer of single-user mode. */
export const OWNER_ID = 'owner';

/** Injection token of the secret in the data folder, or null where there is none. */
export const FOLDER_SECRET = Symbol('FOLDER_SECRET');

/**
 * Finds out who asks. Single-user mode: always the owner, who may do everything. The command line shows the secret of
 * the data folder; a request that shows another one is refused. Accept-Language stands before the stored language.
 */
@Injectable()
export class Authenticator {
  private owner: Promise<Viewer> | null = null;

  constructor(
    private readonly db: Database,
    private readonly secret: string | null,
  ) {}

  async viewerOf({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Viewer> {
    const locale = preferredLocale(headers['accept-language']);
    const shown = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (shown !== undefined && !this.isSecret(shown)) {
      throw unauthenticated({
        en: 'The token is not the secret of this data folder',
        zh: '令牌与此数据目录的密钥不符',
      });
    }
    this.owner ??= this.findOwner().catch((error: unknown) => {
      this.owner = null;
      throw error;
    });
    const owner = await this.owner;
    return locale === null ? owner : { ...owner, locale };
  }

  /** Compares digests, so that the time it takes tells nothing. */
  private isSecret(shown: string): boolean {
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
    return this.secret !== null && timingSafeEqual(digest(shown), digest(this.secret));
  }

  private async findOwner(): Promise<Viewer> {
    const { id, name, locale, role } = await this.db.user.upsert({
      where: { id: OWNER_ID },
      create: { id: OWNER_ID, name: 'Owner', role: 'ADMIN' },
      update: {},
    });
    return { id, name, locale, role };
  }
}

/** The language of ours that an Accept-Language header likes best, by its q values; null where it names none of them. */
export function preferredLocale(header: string | undefined): Locale | null {
  const ranges = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    return { language: tag.split('-')[0], weight: given === undefined ? 1 : Number(given.slice(2)) };
  });
  const [best] = ranges
    .filter(({ language, weight }) => (language === 'zh' || language === 'en') && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  if (best === undefined) return null;
  return best.language === 'zh' ? 'ZH' : 'EN';
}
