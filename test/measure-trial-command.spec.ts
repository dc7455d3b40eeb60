import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import * as given from './support/given.js';
import { listeningService, type ListeningService } from './support/listening-service.js';
import { MeasuredFiles } from './support/measured-files.js';

const steady = [100, 101, 99, 100.5];
const slower = [110, 111, 109, 110.5];
const metric = 'serving.ttft.mean';
const key = 'precision/tf32';

let service: ListeningService;
let files: MeasuredFiles;
let audit: given.GivenAudit;
let slug: string;
let token: string;

beforeAll(async () => {
  files = await MeasuredFiles.make();
  service = await listeningService(files.folder);
  audit = await given.audit(service.db);
  ({ slug } = audit.project);
  ({ secret: token } = await service.token([audit.project.id]));
  await files.serving('base', steady);
  await files.serving('slower', slower);
  await files.serving('more', [99.5, 110.2]);
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

const run = (args: readonly string[]) =>
  tunebook(args, { cwd: files.folder, env: { TUNEBOOK_SERVER: service.address, TUNEBOOK_TOKEN: token } });
const measure = (args: readonly string[]) => run(['measure', slug, ...args]);
const names = (arm: string) => steady.map((_, index) => `${arm}-${index + 1}.json`);
const both = () => ['--before', ...names('base'), '--after', ...names('slower')];
const trialIn = ({ out }: { out: string }) => JSON.parse(out).trial;

/** A trial without runs. */
async function plan(hypothesis: string, itemId = audit.item(key).id): Promise<string> {
  const { createTrial } = await service.ask(
    'mutation($input: CreateTrialInput!) { createTrial(input: $input) { id verdict } }',
    {
      input: {
        auditItemId: itemId,
        beforeRunIds: [],
        afterRunIds: [],
        primaryMetric: metric,
        variable: [],
        hypothesis,
        plannedRunsPerArm: 4,
      },
    },
  );
  expect(createTrial.verdict).toBeNull();
  return createTrial.id;
}

/** The runs of a trial, by the values of its metric. */
async function armsOf(id: string) {
  const trial = await service.db.trial.findUniqueOrThrow({
    where: { id },
    include: {
      runs: {
        orderBy: { order: 'asc' },
        include: { run: { include: { observations: { where: { metric: { key: metric } } } } } },
      },
    },
  });
  const valuesOf = (arm: string) =>
    trial.runs.filter((link) => link.arm === arm).map((link) => link.run.observations[0]?.value);
  return { verdict: trial.verdict, looks: trial.looks, before: valuesOf('BEFORE'), after: valuesOf('AFTER') };
}

describe('tunebook measure --item', () => {
  it('makes a trial of the files of both arms, of an item by its key, which the gate judges', async () => {
    const sent = await measure([
      ...both(),
      '--item',
      key,
      '--metric',
      metric,
      '--hypothesis',
      'Slower',
      '--output',
      'json',
    ]);
    expect(sent).toMatchObject({ code: 0, err: '' });
    const trial = trialIn(sent);
    expect(trial).toMatchObject({
      id: expect.any(String),
      verdict: 'REGRESSED',
      state: 'NEW',
      comparison: {
        format: 'tunebook-comparison/1',
        verdict: 'REGRESSED',
        evidence: 'INDICATIVE',
        primary: [metric],
        rows: expect.arrayContaining([
          expect.objectContaining({
            metric,
            verdict: 'REGRESSED',
            gain: expect.closeTo(-0.091, 3),
            gainLow: expect.closeTo(-0.108, 3),
            gainHigh: expect.closeTo(-0.073, 3),
            pValue: expect.any(Number),
            warnings: expect.arrayContaining([expect.objectContaining({ code: 'SESSIONS_UNKNOWN' })]),
          }),
        ]),
      },
    });
    expect(await armsOf(trial.id)).toEqual({ verdict: 'REGRESSED', looks: 1, before: steady, after: slower });
    const found = await service.db.trial.findUniqueOrThrow({ where: { id: trial.id } });
    expect(found).toMatchObject({ auditItemId: audit.item(key).id, hypothesis: 'Slower' });
    const judged = await run(['gate', '--trial', trial.id]);
    expect(judged.code).toBe(1);
    expect(judged.out.split('\n').slice(0, 2)).toEqual([
      'Gate failed: it got worse. Likely regressed: serving.ttft.mean −9.1 % [−10.8, −7.3]',
      '- serving.ttft.mean: got worse, −9.1 % [−10.8, −7.3]; threshold −2.0 %.',
    ]);
    const byName = await run(['gate', '--trial', 'Slower', '--project', slug]);
    expect(byName).toEqual(judged);
    expect(await run(['gate', '--trial', 'nothing'])).toMatchObject({
      code: 2,
      err: 'There is no trial "nothing", or it may not be seen: a trial is found by its hypothesis where --project names its project\n',
    });
  });

  it('prints of the trial what comparing the files prints', async () => {
    const { code, out } = await measure([...both(), '--item', key, '--metric', metric, '--hypothesis', 'Told']);
    expect(code).toBe(0);
    const [, report = ''] = out.split(/^trial \S+ REGRESSED\n\n/m);
    expect(report.split('\n')[0]).toBe('Likely regressed: serving.ttft.mean −9.1 % [−10.8, −7.3]');
    const [told] = await service.db.trial.findMany({ where: { hypothesis: 'Told' } });
    expect(report).toBe(
      `${(await run(['gate', '--trial', told?.id ?? ''])).out.replace(/^Gate failed: it got worse\. (.*)\n(?:- .*\n)+/, '$1\n')}`,
    );
    for (const part of ['indicative', 'How it was judged:', 'Warnings:', '4 / 4']) expect(report).toContain(part);
    const inChinese = await measure([
      ...both(),
      '--item',
      key,
      '--metric',
      metric,
      '--hypothesis',
      'Told',
      '--lang',
      'zh',
    ]);
    expect(inChinese.out).toMatch(/^很可能退化：serving\.ttft\.mean −9\.1%/m);
    const ids = await measure([
      ...both(),
      '--item',
      key,
      '--metric',
      metric,
      '--hypothesis',
      'Told',
      '--output',
      'ids',
    ]);
    expect(ids.out.trim().split('\n')).toHaveLength(8);
    expect(ids.err).toContain('Likely regressed');
  });

  it('answers the trial that is there where the same is sent again', async () => {
    const args = [...both(), '--item', key, '--metric', metric, '--hypothesis', 'Sent twice'];
    const count = () => service.db.trial.count({ where: { hypothesis: 'Sent twice' } });
    const first = trialIn(await measure([...args, '--output', 'json']));
    const again = trialIn(await measure([...args, '--output', 'json']));
    expect([first.state, again]).toEqual(['NEW', { ...first, state: 'KNOWN' }]);
    expect((await measure(args)).out).toContain(`trial ${first.id} REGRESSED, which was there before\n`);
    const { secret } = await service.token([audit.project.id]);
    const env = { TUNEBOOK_SERVER: service.address, TUNEBOOK_TOKEN: secret };
    await tunebook(['measure', slug, ...args], { cwd: files.folder, env });
    expect(await count()).toBe(1);
    expect((await run(['gate', '--trial', 'Sent twice', '--project', slug])).code).toBe(1);
    expect(trialIn(await measure([...args, '--threshold', '5%', '--output', 'json'])).state).toBe('NEW');
    expect(await count()).toBe(2);
  });

  it('takes one arm from runs that are there, and the item by its id', async () => {
    const before = (await measure([...names('base'), '--output', 'ids'])).out.trim().split('\n');
    const sent = await measure([
      ...names('slower'),
      ...['--arm', 'after', '--other-arm', before.join(','), '--item', audit.item(key).id, '--metric', metric],
      ...['--output', 'json'],
    ]);
    expect(sent.code).toBe(0);
    expect(await armsOf(trialIn(sent).id)).toMatchObject({ before: steady, after: slower });
  });

  it('asks which audit is meant where several have the item', async () => {
    const elsewhere = await given.anotherItem(service.db, audit, 'network/nccl-settings');
    const own = audit.item('network/nccl-settings').id;
    const args = [...both(), '--item', 'network/nccl-settings', '--metric', metric, '--output', 'json'];
    const { code, out, err } = await measure(args);
    const [head, ...lines] = err.trimEnd().split('\n');
    expect({ code, out, head }).toEqual({
      code: 1,
      out: '',
      head: 'Several open audits have the item "network/nccl-settings": name one by --audit, or give the id of its item',
    });
    expect(lines.sort().map((line) => line.trim().split('  ')[0])).toEqual([own, elsewhere].sort());
    const sent = await measure([...args, '--audit', 'Another audit']);
    expect(sent).toMatchObject({ code: 0, err: '' });
    const found = await service.db.trial.findUniqueOrThrow({ where: { id: trialIn(sent).id } });
    expect(found.auditItemId).toBe(elsewhere);
    expect(await measure([...args, '--audit', 'No audit'])).toMatchObject({
      code: 1,
      err: `There is no audit "No audit" in the project "${slug}"\n`,
    });
  });

  it('finds no item of that key, nor one of another project', async () => {
    const args = [...both(), '--metric', metric, '--item'];
    expect(await measure([...args, 'precision/none'])).toMatchObject({
      code: 1,
      err: `There is no item "precision/none" in the audits of "${slug}", neither by its id nor by its key\n`,
    });
    const other = await given.audit(service.db);
    await service.db.projectMember.deleteMany({ where: { projectId: other.project.id } });
    const { secret } = await service.token([audit.project.id, other.project.id]);
    const env = { TUNEBOOK_SERVER: service.address, TUNEBOOK_TOKEN: secret };
    const { id } = other.item(key);
    expect(await tunebook(['measure', slug, ...args, id], { cwd: files.folder, env })).toMatchObject({
      code: 1,
      err: `The item "${id}" is of the project "${other.project.slug}", not of "${slug}"\n`,
    });
    await service.db.audit.update({ where: { id: other.audit.id }, data: { status: 'CLOSED' } });
    expect(await tunebook(['measure', other.project.slug, ...args, key], { cwd: files.folder, env })).toMatchObject({
      code: 1,
      err: `The item "${key}" is in closed audits only: open one again, or open another\n`,
    });
  });
});

describe('tunebook measure --trial', () => {
  it('fills a plan with the files of both arms, found by its hypothesis', async () => {
    const id = await plan('TF32 slows it down.\n\nBy a tenth, as the paper says.');
    const sent = await measure([...both(), '--trial', 'TF32 slows it down.', '--output', 'json']);
    expect(sent).toMatchObject({ code: 0, err: '' });
    expect(trialIn(sent)).toMatchObject({ id, verdict: 'REGRESSED', state: 'EXTENDED' });
    expect(await armsOf(id)).toEqual({ verdict: 'REGRESSED', looks: 1, before: steady, after: slower });
  });

  it('fills a plan with the files of one arm and runs that are there of the other', async () => {
    const id = await plan('By runs');
    const after = (await measure([...names('slower'), '--output', 'ids'])).out.trim().split('\n');
    const sent = await measure([...names('base'), '--arm', 'before', '--other-arm', after.join(','), '--trial', id]);
    expect(sent.code).toBe(0);
    expect(sent.out).toContain(`trial ${id} REGRESSED\n`);
    expect(await armsOf(id)).toMatchObject({ before: steady, after: slower });
  });

  it('says which arm a plan lacks, before anything is written', async () => {
    const id = await plan('One arm alone');
    const runs = await service.db.run.count();
    const missing = (arm: string) =>
      `The trial "One arm alone" is planned and has no runs yet, so that it needs both arms at once. What is missing is ` +
      `the arm ${arm}: its files behind --${arm}, or the ids of its runs by --other-arm\n`;
    const rest = ['--trial', 'One arm alone'];
    expect(await measure(['more-1.json', '--arm', 'after', ...rest])).toEqual({
      code: 1,
      out: '',
      err: missing('before'),
    });
    expect(await measure(['--before', 'more-1.json', ...rest])).toEqual({ code: 1, out: '', err: missing('after') });
    expect(await service.db.run.count()).toBe(runs);
    expect(await armsOf(id)).toMatchObject({ verdict: null, before: [], after: [] });
  });

  it('extends a trial by one arm or both; what it has already is not added again', async () => {
    const id = await plan('To be extended');
    await measure([...both(), '--trial', id]);
    expect((await measure(['more-1.json', '--arm', 'before', '--trial', 'To be extended'])).code).toBe(0);
    expect(await armsOf(id)).toMatchObject({ before: [...steady, 99.5], after: slower });
    const again = await measure(['--before', 'base-1.json', 'more-1.json', '--after', 'more-2.json', '--trial', id]);
    expect(again).toMatchObject({ code: 0, err: '' });
    const extended = await armsOf(id);
    expect(extended).toMatchObject({ before: [...steady, 99.5], after: [...slower, 110.2] });
    const repeated = await measure(['--after', 'more-2.json', '--trial', id, '--output', 'json']);
    expect(repeated).toMatchObject({ code: 0, err: '' });
    expect(trialIn(repeated)).toMatchObject({ id, verdict: extended.verdict, state: 'KNOWN' });
    expect(await armsOf(id)).toEqual(extended);
  });

  it('refuses a name that several trials have, and shows them', async () => {
    const ids = [await plan('Twice'), await plan('Twice')];
    const { code, out, err } = await measure([...both(), '--trial', 'Twice']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n').sort()).toEqual(
      [
        '',
        'Several trials are named "Twice": give the id of one',
        ...ids.map((id) => `  ${id}  planned  ${key}  in the audit "Audit"`),
      ].sort(),
    );
    expect(await measure([...both(), '--trial', 'Never'])).toMatchObject({
      code: 1,
      err: `There is no trial "Never" in the project "${slug}", neither by its id nor by its hypothesis\n`,
    });
  });

  it('writes nothing in a dry run', async () => {
    const id = await plan('Dry');
    expect((await measure([...both(), '--trial', id, '--dry-run'])).code).toBe(0);
    expect(await armsOf(id)).toMatchObject({ verdict: null, before: [] });
  });
});

describe('the options of a trial', () => {
  const before = 'its files behind --before, or the ids of its runs by --other-arm';
  it.each([
    [['base-1.json', '--arm', 'after'], '--arm needs one of --trial and --item'],
    [['--after', 'base-1.json'], '--before and --after need one of --trial and --item'],
    [['base-1.json', '--trial', 'x'], '--trial and --item need --arm before or --arm after, or the files behind --before and --after'],
    [['base-1.json', '--arm', 'after', '--trial', 'x', '--item', 'y'], '--trial and --item exclude each other'],
    [['base-1.json', '--arm', 'after', '--item', 'y'], `a new trial also needs its primary metric by --metric, and the arm before: ${before}`],
    [['--after', 'base-1.json', '--item', 'y', '--metric', 'm'], `a new trial also needs the arm before: ${before}`],
    [['base-1.json', '--arm', 'after', '--trial', 'x', '--metric', 'm'], '--metric is for a new trial: the one that --trial names has its own'],
    [['--after', 'base-1.json', '--item', 'y', '--threshold', '5'], '--threshold 5 would be 500 %: write 5% or 0.05'],
    [['base-1.json', '--after', 'base-2.json', '--trial', 'x'], 'say of "base-1.json" whether it is --before or --after'],
    [['--arm', 'after', '--after', 'base-2.json', '--trial', 'x'], '--before and --after name the arms, so --arm has no part in it'],
    [['--before', 'base-1.json', '--after', 'base-2.json', '--other-arm', 'r', '--trial', 'x'], '--other-arm names runs of the arm that the files are not of: give files of one arm'],
  ])('%j', async (args, message) => {
    expect(await measure(args)).toEqual({ code: 64, out: '', err: `error: ${message}\n` });
  }); // prettier-ignore
});
