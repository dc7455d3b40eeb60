import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { applicationOn } from '../src/application.js';
import { openTestDatabase } from './support/database.js';

// The commands of the README, as they stand there, against a service that listens.

const root = join(import.meta.dirname, '..');
const hasShell = ['bash', 'curl'].every((program) => spawnSync(program, ['--version']).status === 0);
const describeShell = hasShell ? describe : describe.skip;

/** All shell blocks between this heading and the next, in order. */
async function commandsUnder(heading: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
}

describeShell(`the ten minutes of the README${hasShell ? '' : ' (skipped: bash or curl is missing)'}`, () => {
  let app: NestFastifyApplication;
  let folder: string;
  let answers: Record<string, unknown>[];
  let printed: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tunebook-readme-'));
    app = await applicationOn(
      {
        host: '127.0.0.1',
        port: 0,
        dataFolder: folder,
        evidenceFolder: join(folder, 'evidence'),
        databaseUrl: null,
        logLevel: 'fatal',
      },
      await openTestDatabase(),
    );
    await app.listen(0, '127.0.0.1');
    const commands = await commandsUnder('From the command line');
    const blocks = [
      await commandsUnder('Ten minutes'),
      `(export TUNEBOOK_SERVER=$TUNEBOOK\n${commands.replaceAll('npx tunebook', 'node scripts/tunebook.mjs')})`,
      'cd "$FOLDER" && mkdir -p out',
      await commandsUnder('An audit in a team'),
      await commandsUnder('Evidence files'),
    ];
    const script = ['set -eo pipefail', ...blocks].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', TUNEBOOK: await app.getUrl(), FOLDER: folder },
    });
    printed = stdout;
    answers = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers every command without an error', () => {
    expect(answers).toHaveLength(15);
    expect(answers.filter((answer) => 'errors' in answer)).toEqual([]);
  });

  it('opens an audit that says what applies, and why', () => {
    const [{ data }] = answers as [{ data: { audit: { progress: object; items: { edges: { node: object }[] } } } }];
    expect(data.audit.progress).toMatchObject({ total: expect.any(Number), assessed: 0 });
    expect(data.audit.items.edges.map(({ node }) => node)).toContainEqual({
      item: { key: 'precision/tf32' },
      applicability: { answer: 'YES', reasons: expect.arrayContaining([{ text: expect.stringContaining('TF32') }]) },
    });
  });

  it('gives an honest verdict on the two files', () => {
    expect(answers[1]).toMatchObject({
      data: {
        createTrial: {
          verdict: 'IMPROVED',
          comparisons: [
            {
              metric: { key: 'training.step_time', unit: 'ms' },
              gain: expect.closeTo(2.37, 1),
              evidence: 'INDICATIVE',
              warnings: expect.arrayContaining([expect.objectContaining({ code: 'ONE_SESSION_ARM' })]),
            },
          ],
        },
      },
    });
    expect(answers[2]).toMatchObject({
      data: { updateAuditItem: { version: 2, outcome: 'APPLIED', proof: 'INDICATED' } },
    });
  });

  it('compares the files without a service, and knows them when they are sent again', () => {
    expect(printed).toContain('Likely improved: training.step_time +236 % [233, 240]');
    expect(printed).toContain('**✅ Tunebook: Gate passed: nothing is shown to be worse. Likely improved');
    expect(printed.match(/^ {2}run \S+ known OK (?:FP32|TF32)$/gm)).toHaveLength(2);
    expect(printed.match(/^ {4}training\.step_time {2}\S+ ms, median of 4 values {2}lower is better$/gm)).toHaveLength(
      2,
    );
    expect(printed).not.toContain('  warning');
    expect(printed).toContain('Likely improved: serving.ttft');
  });

  it('works on the audit as a team does', async () => {
    const [breakdown, plan, dryRun, bulk, milestone, history, portfolio] = answers.slice(5);
    expect(breakdown).toMatchObject({
      data: { setTimeBreakdown: { version: 2, timeBreakdown: { compute: 0.62, other: expect.closeTo(0.015, 6) } } },
    });
    expect(plan).toMatchObject({ data: { audit: { plan: { edges: [{ node: { rank: 1 } }, {}, {}] } } } });
    const matched = (bulk as { data: { bulkUpdateAuditItems: { matched: number } } }).data.bulkUpdateAuditItems.matched;
    for (const report of [dryRun, bulk]) {
      expect(report).toEqual({ data: { bulkUpdateAuditItems: { matched, changed: matched, leftOut: 0 } } });
    }
    expect(milestone).toEqual({ data: { createMilestone: { name: 'First week', progress: { assessed: 1 } } } });
    expect(history).toMatchObject({ data: { audit: { history: { edges: [{ node: { byName: 'Owner' } }, {}, {}] } } } });
    expect(portfolio).toMatchObject({
      data: { portfolio: { auditCount: 2, total: { assessed: 1 } } },
    });
    expect(await readFile(join(folder, 'out/report.html'), 'utf8')).toMatch(/^<!doctype html>\s*<html lang="zh/i);
  });

  it('tells what a gain is worth, and the history of a metric', () => {
    expect(answers[12]).toMatchObject({ data: { audit: { savings: [{ metric: { key: 'training.step_time' } }] } } });
    expect(answers[13]).toMatchObject({ data: { project: { series: { edges: [{ node: { pointCount: 2 } }] } } } });
  });

  it('keeps a file, attaches it to the item, and gives it back', async () => {
    expect(answers[14]).toEqual({
      data: {
        attachEvidence: {
          fileName: 'kernels.csv',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          evidence: { url: expect.stringMatching(/^\/evidence\//) },
        },
      },
    });
    expect(await readFile(join(folder, 'out/copy.csv'), 'utf8')).toBe('kernel,ms\n');
  });

  it('finds the English note by a Chinese word, and adopts it', () => {
    expect(answers[3]).toMatchObject({
      data: {
        search: {
          totalCount: 1,
          edges: [
            { node: { title: { text: 'TF32 made the training step 3.4 times as fast' }, note: { outcome: 'HELPED' } } },
          ],
        },
      },
    });
    expect(answers[4]).toMatchObject({
      data: {
        adoptNote: {
          item: { key: 'precision/tf32' },
          plannedChange: { 'workload.settings.precision': { before: 'highest', after: 'high' } },
          adoptedFrom: { title: { text: 'TF32 made the training step 3.4 times as fast' } },
        },
      },
    });
  });
});
