import { usageError } from './commands/command-error.js';
import { DomainError } from './domain/errors.js';
import { expiryOf } from './domain/token-expiry.js';
import { dataOf, withService, type LocalService } from './local-service.js';
import { OperatorError } from './platform/explain.js';

const FIND_PROJECT = 'query($slug: String!) { project(slug: $slug) { id } }';
const CREATE = `
  mutation($input: CreateServiceTokenInput!) {
    createServiceToken(input: $input) { token serviceToken { id name right expiresAt projects { slug } } }
  }`;
const LIST = `
  query($slug: String!, $after: String) {
    project(slug: $slug) {
      serviceTokens(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        edges { node { id name prefix right expiresAt lastUsedAt revokedAt createdBy { name } } }
      }
    }
  }`;
const REVOKE = `
  mutation($input: RevokeServiceTokenInput!) { revokeServiceToken(input: $input) { name prefix revokedAt } }`;

/** What was said of a new token. */
export interface CreateOptions {
  readonly name: string;
  readonly right: string;
  readonly expires?: string;
}

interface CreateAnswer {
  readonly createServiceToken: {
    readonly token: string | null;
    readonly serviceToken: {
      readonly id: string;
      readonly name: string;
      readonly right: string;
      readonly expiresAt: string;
      readonly projects: readonly { readonly slug: string }[];
    };
  };
}

interface ListedToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly right: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly createdBy: { readonly name: string };
}

interface TokenPage {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: ListedToken }[];
}

interface RevokeAnswer {
  readonly revokeServiceToken: { readonly name: string; readonly prefix: string; readonly revokedAt: string };
}

/** Makes a token for these projects; its secret alone goes to standard output. */
export async function createToken(slugs: readonly string[], { name, right, expires }: CreateOptions): Promise<void> {
  const expiresAt = expires === undefined ? null : timeOf(expires).toISOString();
  await withService(async (service) => {
    const projectIds: string[] = [];
    for (const slug of slugs) projectIds.push(await projectId(service, slug));
    const input = { name, projectIds, right: right.toUpperCase().replaceAll('-', '_'), expiresAt };
    const { createServiceToken } = dataOf<CreateAnswer>(await service.ask(CREATE, { input }));
    const { token, serviceToken: made } = createServiceToken;
    if (token === null) throw new OperatorError('The service gave no secret');
    const where = made.projects.map(({ slug }) => slug).join(', ');
    console.error(`Token ${made.id} "${made.name}", ${made.right}, for ${where}, until ${made.expiresAt}`);
    console.error('This is its secret, which nobody can show again:');
    console.log(token);
  });
}

/** Prints the tokens of a project. */
export async function listTokens(slug: string): Promise<void> {
  await withService(async (service) => {
    const now = new Date();
    let page = await tokensOf(service, slug, null);
    for (;;) {
      for (const { node } of page.edges) console.log(lineOf(node, now));
      if (!page.pageInfo.hasNextPage) return;
      page = await tokensOf(service, slug, page.pageInfo.endCursor);
    }
  });
}

async function tokensOf(service: LocalService, slug: string, after: string | null): Promise<TokenPage> {
  const answer = await service.ask(LIST, { slug, after });
  const { project } = dataOf<{ project: { serviceTokens: TokenPage | null } | null }>(answer);
  if (!project?.serviceTokens) throw noProject(slug);
  return project.serviceTokens;
}

/** Ends a token. */
export async function revokeToken(id: string): Promise<void> {
  await withService(async (service) => {
    const { revokeServiceToken } = dataOf<RevokeAnswer>(await service.ask(REVOKE, { input: { id } }));
    const { name, prefix, revokedAt } = revokeServiceToken;
    console.log(`Token ${id} ${prefix} "${name}" ended at ${revokedAt}`);
  });
}

function lineOf(token: ListedToken, now: Date): string {
  const { id, prefix, name, right, expiresAt, revokedAt, lastUsedAt, createdBy } = token;
  const validity =
    revokedAt !== null
      ? `revoked at ${revokedAt}`
      : `${new Date(expiresAt) <= now ? 'expired at' : 'until'} ${expiresAt}`;
  const use = lastUsedAt === null ? 'never used' : `used at ${lastUsedAt}`;
  return `${id}  ${prefix}  "${name}"  ${right}  ${validity}  ${use}  by ${createdBy.name}`;
}

async function projectId(service: LocalService, slug: string): Promise<string> {
  const { project } = dataOf<{ project: { id: string } | null }>(await service.ask(FIND_PROJECT, { slug }));
  if (!project) throw noProject(slug);
  return project.id;
}

function timeOf(text: string): Date {
  try {
    return expiryOf(text, new Date());
  } catch (cause) {
    if (cause instanceof DomainError) throw usageError(`--expires: ${cause.message}`);
    throw cause;
  }
}

function noProject(slug: string): OperatorError {
  return new OperatorError(`There is no project "${slug}"`);
}
