import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Locale } from '../../domain/locale.js';
import { Database } from '../database/database.js';
import { isSameSecret, TOKEN_MARK, viewerOfToken, wrongToken } from './service-tokens.js';
import type { Viewer } from './viewer.js';

/** Id of the one viewer of single-user mode. */
export const OWNER_ID = 'owner';

/** Injection token of the secret in the data folder, or null where there is none. */
export const FOLDER_SECRET = Symbol('FOLDER_SECRET');

/**
 * Finds out who asks. Single-user mode: whoever shows nothing is the owner, who may do everything. The command line shows
 * the secret of the data folder, a machine its service token. A request that shows anything else is refused, an empty
 * token included: it must not act as the owner instead. Accept-Language stands before the stored language.
 */
@Injectable()
export class Authenticator {
  private owner: Promise<Viewer> | null = null;

  constructor(
    private readonly db: Database,
    private readonly secret: string | null,
  ) {}

  async viewerOf({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Viewer> {
    const viewer = await this.shownBy(headers.authorization);
    const locale = preferredLocale(headers['accept-language']);
    return locale === null ? viewer : { ...viewer, locale };
  }

  private async shownBy(authorization: string | undefined): Promise<Viewer> {
    if (authorization === undefined) return this.theOwner();
    const [, shown = ''] = /^Bearer (.+)$/i.exec(authorization) ?? [];
    if (shown.startsWith(TOKEN_MARK)) {
      const machine = await viewerOfToken(this.db, shown, new Date());
      if (machine) return machine;
    } else if (this.secret !== null && isSameSecret(shown, this.secret)) return this.theOwner();
    throw wrongToken();
  }

  private theOwner(): Promise<Viewer> {
    this.owner ??= this.findOwner().catch((error: unknown) => {
      this.owner = null;
      throw error;
    });
    return this.owner;
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
