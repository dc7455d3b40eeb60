import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';
import { fixture } from '../support/tool-output.js';

const IMPORT = `mutation($input: ImportRunInput!) {
  importRun(input: $input) { runs { source commit imageDigest } problems { message } }
}`;

describe('the origin of an imported run', () => {
  let app: TestApp;
  let team: given.Team;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    team = await given.project(app.db);
  });
  afterAll(() => app.close());

  const send = (origin: object) =>
    app.as(team.contributor).send(IMPORT, {
      input: {
        projectId: team.project.id,
        fileName: 'result.json',
        content: fixture('vllm-bench-serve/summary.json'),
        ...origin,
      },
    });

  it('is an import of no known commit where nothing is said', async () => {
    const { data, errors } = await send({});
    expect(errors).toEqual([]);
    expect(data.importRun.runs).toEqual([{ source: 'IMPORT', commit: null, imageDigest: null }]);
  });

  it('is kept with commit and image', async () => {
    const imageDigest = `sha256:${'0f'.repeat(32)}`;
    const { data } = await send({ source: 'CI', commit: '4f1c2d3', imageDigest });
    expect(data.importRun.runs).toEqual([{ source: 'CI', commit: '4f1c2d3', imageDigest }]);
  });

  it.each([
    [{ source: 'MANUAL' }, 'source of a file is IMPORT or CI, not MANUAL'],
    [{ imageDigest: 'latest' }, 'imageDigest is sha256: and 64 hexadecimal digits, not "latest"'],
    [{ commit: 'c'.repeat(201) }, 'commit has 201 characters; at most 200 are kept'],
  ])('is refused as %j', async (origin, message) => {
    const { errors, errorCode } = await send(origin);
    expect(errorCode).toBe('INVALID_INPUT');
    expect(errors[0]?.message).toBe(message);
    expect(await app.db.run.count({ where: { projectId: team.project.id } })).toBe(0);
  });
});
