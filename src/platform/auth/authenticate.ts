import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Database } from '../database/database.js';
import type { Viewer } from './viewer.js';

/** Id of the one viewer of single-user mode. */
export const OWNER_ID = 'owner';

/** Finds out who asks. Single-user mode: always the owner, who may do everything. */
@Injectable()
export class Authenticator {
  private owner: Promise<Viewer> | null = null;

  constructor(private readonly db: Database) {}

  viewerOf(_request: Pick<FastifyRequest, 'headers'>): Promise<Viewer> {
    this.owner ??= this.findOwner();
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
