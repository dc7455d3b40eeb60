import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const SET = `mutation($input: SetFleetInput!) { setFleet(input: $input) {
  version gpus busyShare hoursPerMonth currency pricePerGpuHour pricePerKwh pue powerPerGpu pricePerEngineeringHour
} }`;
const FLEET = 'query($slug: String!) { project(slug: $slug) { fleet { version gpus currency pricePerGpuHour } } }';

const set = (team: given.Team, input: object, viewer: { id: string } = team.maintainer) =>
  app.as(viewer).send(SET, { input: { projectId: team.project.id, version: 0, ...input } });
const fleetOf = async (team: given.Team, viewer: { id: string } = team.viewer) =>
  (await app.as(viewer).send(FLEET, { slug: team.project.slug })).data.project?.fleet;

describe('the fleet of a project', () => {
  it('is set by a maintainer, and read by everybody who sees the project', async () => {
    const team = await given.project(app.db);
    expect(await fleetOf(team)).toBeNull();
    const { data, errors } = await set(team, { gpus: 64, busyShare: 0.6, currency: 'USD', pricePerGpuHour: 2.5 });
    expect(errors).toEqual([]);
    expect(data.setFleet).toEqual({
      version: 1, gpus: 64, busyShare: 0.6, hoursPerMonth: null, currency: 'USD', pricePerGpuHour: 2.5,
      pricePerKwh: null, pue: null, powerPerGpu: null, pricePerEngineeringHour: null,
    }); // prettier-ignore
    expect(await fleetOf(team)).toEqual({ version: 1, gpus: 64, currency: 'USD', pricePerGpuHour: 2.5 });
  });

  it('leaves alone what is absent, clears what is null, and keeps its history', async () => {
    const team = await given.project(app.db);
    await set(team, { gpus: 64, currency: 'USD', pricePerGpuHour: 2.5, pue: 1.2 });
    const { data } = await set(team, { version: 1, gpus: 128, pue: null });
    expect(data.setFleet).toMatchObject({ version: 2, gpus: 128, pue: null, pricePerGpuHour: 2.5 });
    const answer = await app
      .as(team.viewer)
      .send(
        `query($slug: String!) { project(slug: $slug) { history(first: 10) { edges { node { field text { en zh } } } } } }`,
        { slug: team.project.slug },
      );
    const texts = answer.data.project.history.edges.map(({ node }: { node: { text: object } }) => node.text);
    expect(texts).toContainEqual({ en: 'GPUs of the fleet: 64 → 128', zh: '集群 GPU 数由“64”变为“128”' });
    expect(texts).toContainEqual({ en: 'PUE cleared (was 1.2)', zh: 'PUE 已清除（原为“1.2”）' });
  });

  it('writes nothing where nothing changes, or where the same request comes again', async () => {
    const team = await given.project(app.db);
    await set(team, { gpus: 64, clientMutationId: 'one' });
    expect((await set(team, { gpus: 64, clientMutationId: 'one' })).data.setFleet.version).toBe(1);
    expect((await set(team, { version: 1, gpus: 64 })).data.setFleet.version).toBe(1);
    expect(await app.db.historyEntry.count({ where: { projectId: team.project.id } })).toBe(1);
  });

  it('refuses a stale version with the current state', async () => {
    const team = await given.project(app.db);
    await set(team, { gpus: 64 });
    const { errors } = await set(team, { gpus: 32 });
    expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', current: { version: 1, gpus: 64 } });
    const both = await Promise.all([set(team, { version: 1, gpus: 1 }), set(team, { version: 1, gpus: 2 })]);
    expect(both.map(({ errorCode }) => errorCode ?? 'OK').sort()).toEqual(['CONFLICT', 'OK']);
  });

  it('refuses readers and contributors, and hides the project from strangers', async () => {
    const team = await given.project(app.db);
    for (const viewer of [team.viewer, team.contributor, team.reviewer]) {
      expect((await set(team, { gpus: 1 }, viewer)).errorCode).toBe('FORBIDDEN');
    }
    expect((await set(team, { gpus: 1 }, team.stranger)).errorCode).toBe('NOT_FOUND');
    expect(await fleetOf(team, team.stranger)).toBeUndefined();
  });

  it.each([
    [{ gpus: 0 }, 'gpus must be above 0 and at most 10000000, and is 0'],
    [{ busyShare: 1.5 }, 'busyShare must be above 0 and at most 1, and is 1.5'],
    [{ currency: 'DOLLAR' }, 'currency "DOLLAR" is no code of ISO 4217 such as USD, EUR or CNY'],
    [{ pricePerGpuHour: 2 }, 'pricePerGpuHour is given without currency: name its currency, such as USD'],
  ])('refuses %j', async (input, message) => {
    const team = await given.project(app.db);
    const { errors, errorCode } = await set(team, input);
    expect([errorCode, errors[0]?.message]).toEqual(['INVALID_INPUT', message]);
    expect(await fleetOf(team)).toBeNull();
  });

  it('never lets a price stand in another currency than it was given in', async () => {
    const team = await given.project(app.db);
    await set(team, { currency: 'USD', pricePerGpuHour: 2 });
    const kept = await set(team, { version: 1, currency: 'EUR' });
    expect([kept.errorCode, kept.errors[0]?.message]).toEqual([
      'INVALID_INPUT',
      'pricePerGpuHour is in USD: with the currency EUR give it anew, or null',
    ]);
    const anew = await set(team, { version: 1, currency: 'EUR', pricePerGpuHour: 1.8 });
    expect(anew.data.setFleet).toMatchObject({ currency: 'EUR', pricePerGpuHour: 1.8 });
  });
});
