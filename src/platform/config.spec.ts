import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { ConfigError, readConfig, type ConfigProblem } from './config.js';

function problemsOf(env: Record<string, string>): readonly ConfigProblem[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  it('needs nothing, and takes an empty variable for an absent one', () => {
    const defaults = {
      host: '127.0.0.1',
      port: 3000,
      dataFolder: resolve('data'),
      evidenceFolder: resolve('data/evidence'),
      evidenceBucket: null,
      databaseUrl: null,
      logLevel: 'info',
    };
    expect(readConfig({})).toEqual(defaults);
    expect(readConfig({ HOST: '', PORT: '', TUNEBOOK_DATA: '', DATABASE_URL: '', LOG_LEVEL: '' })).toEqual(defaults);
  });

  it('takes what the variables say', () => {
    const env = {
      HOST: '::1',
      PORT: '0',
      TUNEBOOK_DATA: '/srv/tunebook',
      DATABASE_URL: 'postgres://db/tunebook',
      LOG_LEVEL: 'trace',
      PATH: '/usr/bin',
    };
    expect(readConfig(env)).toEqual({
      host: '::1',
      port: 0,
      dataFolder: '/srv/tunebook',
      evidenceFolder: '/srv/tunebook/evidence',
      evidenceBucket: null,
      databaseUrl: 'postgres://db/tunebook',
      logLevel: 'trace',
    });
  });

  it('takes a bucket for evidence files, on AWS and on a server of its own', () => {
    const bucketOf = (env: Record<string, string>) => readConfig(env).evidenceBucket;
    expect(bucketOf({ EVIDENCE_S3_BUCKET: 'evidence' })).toEqual({
      bucket: 'evidence',
      endpoint: null,
      region: null,
      prefix: '',
    });
    expect(
      bucketOf({
        EVIDENCE_S3_BUCKET: 'evidence',
        EVIDENCE_S3_ENDPOINT: 'https://minio.example.org:9000/',
        EVIDENCE_S3_PREFIX: 'tunebook/files',
      }),
    ).toEqual({
      bucket: 'evidence',
      endpoint: 'https://minio.example.org:9000',
      region: 'us-east-1',
      prefix: 'tunebook/files/',
    });
    expect(bucketOf({ EVIDENCE_S3_BUCKET: 'evidence', EVIDENCE_S3_REGION: 'eu-central-1' })).toMatchObject({
      region: 'eu-central-1',
    });
  });

  it('refuses a bucket that cannot be one, and settings of none', () => {
    expect(problemsOf({ EVIDENCE_S3_REGION: 'eu-central-1' })).toEqual([
      {
        variable: 'EVIDENCE_S3_REGION',
        problem: 'says where in a bucket evidence files lie: EVIDENCE_S3_BUCKET is missing',
      },
    ]);
    const problems = problemsOf({
      EVIDENCE_S3_BUCKET: 'My_Bucket',
      EVIDENCE_S3_ENDPOINT: 'https://root:s3cret@minio.example.org',
      EVIDENCE_S3_REGION: 'eu central',
      EVIDENCE_S3_PREFIX: '/files',
      EVIDENCE_S3_BUKET: 'evidence',
    });
    expect(problems.map(({ variable }) => variable).sort()).toEqual([
      'EVIDENCE_S3_BUCKET',
      'EVIDENCE_S3_BUKET',
      'EVIDENCE_S3_ENDPOINT',
      'EVIDENCE_S3_PREFIX',
      'EVIDENCE_S3_REGION',
    ]);
    expect(JSON.stringify(problems)).not.toContain('s3cret');
  });

  it('reports all problems at once, each by its variable', () => {
    const problems = problemsOf({
      HOST: '0.0.0.0',
      PORT: '70000',
      TUNEBOOK_DATA: 's3://bucket',
      DATABASE_URL: 'mysql://root:s3cret@db/tunebook',
      LOG_LEVEL: 'verbose',
      TUNEBOOK_DATE: 'x',
    });
    expect(problems.map((problem) => problem.variable).sort()).toEqual([
      'DATABASE_URL',
      'HOST',
      'LOG_LEVEL',
      'PORT',
      'TUNEBOOK_DATA',
      'TUNEBOOK_DATE',
    ]);
    const text = new ConfigError(problems).message;
    expect(text).toContain('HOST: "0.0.0.0" is not a loopback address');
    expect(text).toContain('PORT: "70000" is not a port');
    expect(text).toContain('LOG_LEVEL: "verbose" is none of fatal, error, warn, info, debug, trace');
    expect(text).not.toContain('s3cret');
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.7', false],
    ['128.0.0.1', false],
    ['tunebook.example', false],
  ])('listens on the host %s: %s', (host, isAllowed) => {
    expect(problemsOf({ HOST: host })).toHaveLength(isAllowed ? 0 : 1);
  });

  it.each(['-1', '1.5', '65536', '80a', ' 80', '0x50'])('refuses the port "%s"', (port) => {
    expect(problemsOf({ PORT: port })).toHaveLength(1);
  });

  it.each([
    ['TUNEBOOK_DATE', 'TUNEBOOK_DATA'],
    ['TUNEBOOK_DATA_DIR', 'TUNEBOOK_DATA'],
    ['TUNEBOOK_PORT', 'PORT'],
    ['TUNEBOOK_DATABASE_URL', 'DATABASE_URL'],
    ['MEILI_APIKEY', 'MEILI_API_KEY'],
  ])('names for the unknown %s the nearest known %s', (variable, known) => {
    expect(problemsOf({ [variable]: 'x' })).toEqual([
      { variable, problem: `no such variable; did you mean ${known}?` },
    ]);
  });

  it('says that it does not use Meilisearch, and shows no key', () => {
    const problems = problemsOf({ MEILI_URL: 'http://127.0.0.1:7700', MEILI_API_KEY: 's3cret' });
    expect(problems.map((problem) => problem.variable)).toEqual(['MEILI_URL', 'MEILI_API_KEY']);
    expect(JSON.stringify(problems)).not.toContain('s3cret');
  });
});
