import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { applicationOn } from '../src/application.js';
import { Authenticator } from '../src/platform/auth/authenticate.js';
import { openTestDatabase } from './support/database.js';

// The language of what the service says, with the authenticator of single-user mode.

let app: NestFastifyApplication;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-language-'));
  const config = { host: '127.0.0.1', port: 0, dataFolder: folder, evidenceFolder: folder, databaseUrl: null };
  app = await applicationOn({ ...config, logLevel: 'fatal' }, await openTestDatabase());
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** The first complaint about a request with these headers. */
async function complaint(query: string, headers: Record<string, string>): Promise<string | undefined> {
  const { body } = await app.inject({ method: 'POST', url: '/graphql', payload: { query }, headers });
  const { errors } = JSON.parse(body) as { errors?: { message: string }[] };
  return errors?.[0]?.message;
}

describe('the language of the viewer', () => {
  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', 'ZH'],
    ['en-US,en;q=0.9,zh;q=0.8', 'EN'],
    ['en;q=0.4, zh-Hans;q=0.6', 'ZH'],
    ['fr-FR, fr;q=0.9, ZH ; Q=0.2', 'ZH'],
    ['en;q=0, zh;q=0.1', 'ZH'],
    ['zh;q=much, en;q=0.1', 'EN'],
    ['fr, zhuang, english, *', 'EN'],
    ['', 'EN'],
    [undefined, 'EN'],
  ])('of %j is %s', async (header, locale) => {
    const headers = header === undefined ? {} : { 'accept-language': header };
    expect(await app.get(Authenticator).viewerOf({ headers })).toMatchObject({ id: 'owner', locale });
  });

  it('is the stored one only where the header names none of ours', async () => {
    const stored = { id: 'owner', name: 'Owner', locale: 'ZH', role: 'ADMIN' };
    const authenticator = new Authenticator({ user: { upsert: () => Promise.resolve(stored) } } as never, null);
    expect(await authenticator.viewerOf({ headers: {} })).toMatchObject({ locale: 'ZH' });
    expect(await authenticator.viewerOf({ headers: { 'accept-language': 'fr' } })).toMatchObject({ locale: 'ZH' });
    expect(await authenticator.viewerOf({ headers: { 'accept-language': 'en' } })).toMatchObject({ locale: 'EN' });
    expect(await authenticator.viewerOf({ headers: {} })).toMatchObject({ locale: 'ZH' });
  });

  it('is that of messages, and of what a refused token is answered', async () => {
    const wrong = 'mutation { createProject(input: { slug: "Not A Slug", name: "x" }) { id } }';
    expect(await complaint(wrong, {})).not.toMatch(/\p{Script=Han}/u);
    expect(await complaint(wrong, { 'accept-language': 'zh-CN' })).toMatch(/\p{Script=Han}/u);
    const ask = (language: string) =>
      complaint('{ viewer { id } }', { authorization: 'Bearer guessed', 'accept-language': language });
    expect(await ask('zh-CN')).toBe('令牌既不是服务令牌，也不是此数据目录的密钥');
    expect(await ask('en')).toBe('The token is neither a service token nor the secret of this data folder');
    expect(await ask('fr')).toBe('The token is neither a service token nor the secret of this data folder');
  });
});
