import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tunebook } from './support/command.js';
import { makeDataFolder } from './support/service-process.js';

let folder: string;
const run = (...args: string[]) => tunebook(args, { env: { TUNEBOOK_DATA: join(folder, 'data') } });
async function asked(query: string) {
  const { code, out, err } = await run('query', query);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out).data;
}

let auditItemId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunebook-recompute-'));
  await makeDataFolder(join(folder, 'data'));
  await asked('mutation { createProject(input: { slug: "demo", name: "Demo" }) { id } }');
  const { project } = await asked('{ project(slug: "demo") { id } }');
  const { openAudit } = await asked(`mutation {
    openAudit(input: { projectId: "${project.id}", checklist: "ai-systems-performance", title: "Week 1" }) { id }
  }`);
  const { audit } = await asked(
    `{ audit(id: "${openAudit.id}") { items(first: 1, filter: { section: "precision", text: "tf32" }) { edges { node { id item { key } } } } } }`,
  );
  expect(audit.items.edges[0].node.item.key).toBe('precision/tf32');
  auditItemId = audit.items.edges[0].node.id;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const record = (fields: string) =>
  asked(`mutation {
    recordMeasurement(input: {
      auditItemId: "${auditItemId}", metric: "training.throughput", sampling: SEPARATE_SESSIONS, ${fields}
    }) { id verdict }
  }`);

describe('tunebook recompute', () => {
  it('says before what another computation would change, then changes it, and then finds nothing to do', async () => {
    const { recordMeasurement: single } = await record('before: [100], after: [150]');
    expect(single.verdict).toBe('INCONCLUSIVE');
    // A run against itself tells the noise floor that a single run needs
    await record('before: [100, 104, 97], after: [101, 98, 102], isControl: true');
    const line = `  ${single.id} Week 1 · precision/tf32 · training.throughput: INCONCLUSIVE (SINGLE_RUN) → IMPROVED (SINGLE_RUN)\n`;
    expect(await run('recompute', 'demo', '--dry-run')).toEqual({
      code: 0,
      out: `2 trials by method 1.1.0: 1 would get another computation\n1 would get another verdict or evidence\n${line}`,
      err: '',
    });
    expect(await run('recompute', 'demo')).toMatchObject({
      code: 0,
      out: `2 trials by method 1.1.0: 1 got another computation\n1 got another verdict or evidence\n${line}`,
    });
    expect((await run('recompute', 'demo')).out).toBe(
      '2 trials by method 1.1.0: 0 got another computation\n0 got another verdict or evidence\n',
    );
  });

  it('names the project that is not there', async () => {
    expect(await run('recompute', 'nowhere')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('There is no project "nowhere"'),
    });
  });
});
