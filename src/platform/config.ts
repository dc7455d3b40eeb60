import { BlockList, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A bucket of S3-compatible storage. Credentials are found by the SDK, in its own way. */
export interface BucketSettings {
  readonly bucket: string;
  /** Address of the server; null for that of AWS. */
  readonly endpoint: string | null;
  /** Null where the SDK is to find it out. */
  readonly region: string | null;
  /** What all keys begin with: empty, or with a slash at the end. */
  readonly prefix: string;
}

/** What the operator decided. README.md lists the variables. */
export interface Config {
  /** A loopback address: there are no accounts yet, so whoever reaches the service may do everything. */
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** Absolute path: the embedded database, the evidence files and the secret of the command line. */
  readonly dataFolder: string;
  /** Where evidence files lie, or are received where they go into a bucket. */
  readonly evidenceFolder: string;
  /** Where evidence files lie instead of the folder. */
  readonly evidenceBucket?: BucketSettings | null;
  /** Address of a PostgreSQL server; null for the embedded database. */
  readonly databaseUrl: string | null;
  readonly logLevel: LogLevel;
}

export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** All that is wrong with the environment, at once. Never holds the value of a secret. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, problem }) => `  ${variable}: ${problem}`);
    super(['The environment cannot be used:', ...lines].join('\n'));
    this.name = 'ConfigError';
  }
}

const environment = z.object({
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine(isLoopback, {
      error: ({ input }) =>
        `${quoted(input)} is not a loopback address. There are no accounts yet, so whoever reaches the service may do ` +
        `everything: use 127.0.0.1, ::1 or localhost`,
    }),
  PORT: z
    .string()
    .default('3000')
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
      error: ({ input }) => `${quoted(input)} is not a port: a whole number from 0 to 65535 is`,
    })
    .transform(Number),
  TUNEBOOK_DATA: z
    .string()
    .default('./data')
    .refine((path) => !path.includes('://'), {
      error: ({ input }) => `${quoted(input)} is an address: the path of a folder is needed`,
    })
    .transform((path) => resolve(path)),
  // Its value can hold a password, so no message repeats it.
  DATABASE_URL: z
    .string()
    .refine((url) => URL.canParse(url) && ['postgresql:', 'postgres:'].includes(new URL(url).protocol), {
      error: 'the address of a PostgreSQL server is needed, such as postgresql://user:password@host:5432/tunebook',
    })
    .optional(),
  EVIDENCE_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
      error: ({ input }) => `${quoted(input)} is not the name of a bucket: 3 to 63 of a-z, 0-9, dot and hyphen are`,
    })
    .optional(),
  // Its value could hold a password, which belongs elsewhere: no message repeats it.
  EVIDENCE_S3_ENDPOINT: z
    .string()
    .refine(isPlainHttp, {
      error:
        'the address of a server is needed, such as https://minio.example.org:9000, without user, password and path',
    })
    .transform((url) => new URL(url).origin)
    .optional(),
  EVIDENCE_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/i, { error: ({ input }) => `${quoted(input)} is not a region, such as eu-central-1` })
    .optional(),
  EVIDENCE_S3_PREFIX: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, {
      error: ({ input }) =>
        `${quoted(input)} is not a prefix, such as tunebook/evidence: no slash before, none doubled`,
    })
    .max(500)
    .transform((prefix) => prefix.replace(/\/?$/, '/'))
    .optional(),
  LOG_LEVEL: z
    .enum(logLevels, { error: ({ input }) => `${quoted(input)} is none of ${logLevels.join(', ')}` })
    .default('info'),
  // They are for commands, which send measurements to another machine.
  TUNEBOOK_SERVER: z.string().optional(),
  TUNEBOOK_TOKEN: z.string().optional(),
  MEILI_URL: notYet('this version searches in its own database and does not use Meilisearch: remove the variable'),
  MEILI_API_KEY: notYet('this version does not use Meilisearch: remove the variable'),
});

const knownVariables = Object.keys(environment.shape);

/**
 * Reads and checks the environment. An empty variable counts as absent.
 * @throws ConfigError with all problems.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const unknown = given
    .map(([variable]) => variable)
    .filter((variable) => /^(TUNEBOOK|MEILI|EVIDENCE_S3)_/.test(variable) && !knownVariables.includes(variable))
    .map((variable) => ({ variable, problem: `no such variable; did you mean ${nearest(variable)}?` }));

  const read = environment.safeParse(Object.fromEntries(given));
  const wrong = (read.error?.issues ?? []).map(({ path, message }) => ({ variable: path.join('.'), problem: message }));
  const problems = [...wrong, ...unknown, ...withoutBucket(given.map(([variable]) => variable))];
  if (!read.success || problems.length > 0) throw new ConfigError(problems);

  const { HOST, PORT, TUNEBOOK_DATA, DATABASE_URL, LOG_LEVEL } = read.data;
  const {
    EVIDENCE_S3_BUCKET: bucket,
    EVIDENCE_S3_ENDPOINT: endpoint = null,
    EVIDENCE_S3_PREFIX: prefix = '',
  } = read.data;
  // A server of one's own has no regions, and yet each request is signed for one.
  const region = read.data.EVIDENCE_S3_REGION ?? (endpoint === null ? null : 'us-east-1');
  return {
    host: HOST,
    port: PORT,
    dataFolder: TUNEBOOK_DATA,
    evidenceFolder: join(TUNEBOOK_DATA, 'evidence'),
    evidenceBucket: bucket === undefined ? null : { bucket, endpoint, region, prefix },
    databaseUrl: DATABASE_URL ?? null,
    logLevel: LOG_LEVEL,
  };
}

/** A variable that documents name for later versions: to take it without a word would look as if it did something. */
function notYet(problem: string) {
  return z.undefined({ error: problem }).optional();
}

/** Settings of a bucket that nobody names would look as if they did something. */
function withoutBucket(given: readonly string[]): ConfigProblem[] {
  if (given.includes('EVIDENCE_S3_BUCKET')) return [];
  return given
    .filter((variable) => /^EVIDENCE_S3_(ENDPOINT|REGION|PREFIX)$/.test(variable))
    .map((variable) => ({
      variable,
      problem: 'says where in a bucket evidence files lie: EVIDENCE_S3_BUCKET is missing',
    }));
}

function isPlainHttp(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && `${username}${password}${search}${hash}` === '' && pathname === '/';
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  const version = isIP(host);
  return version !== 0 && loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** The known variable that is fewest edits away, with or without the prefix: TUNEBOOK_PORT means PORT. */
function nearest(variable: string): string {
  const written = [variable, variable.replace(/^[A-Z]+_/, '')];
  const ranked = knownVariables
    .map((known) => ({ known, edits: Math.min(...written.map((name) => editsBetween(name, known))) }))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.known ?? '';
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
function editsBetween(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, character] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, wanted] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (character === wanted ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

function quoted(input: unknown): string {
  return JSON.stringify(input);
}
