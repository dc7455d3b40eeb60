import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { assess } from '../support/own-audit.js';
import { auditOf, sectionedChecklist } from '../support/random-audit.js';

const COUNTS = `{
  total applicable assessed done verified applied indicated unverified regressed rejected deferred
  stale open inReview overdue
}`;
const GAINS = '{ metric { key } count medianGain minGain maxGain }';
const PORTFOLIO = `query($filter: PortfolioFilter, $first: Int, $after: String) {
  portfolio(filter: $filter) {
    auditCount projectCount total ${COUNTS}
    byTeam { slug name projectCount auditCount counts ${COUNTS} }
    byProject(first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      edges { node { project { slug } auditCount counts ${COUNTS} verifiedGains ${GAINS} } }
    }
    bySection { checklist key title { en zh } counts ${COUNTS} }
    byHardware { slug name auditCount counts ${COUNTS} }
    verifiedGains ${GAINS}
    audits(first: $first) { totalCount edges { node { id project { slug } } } }
  }
}`;
const none = {
  total: 0, applicable: 0, assessed: 0, done: 0, verified: 0, applied: 0, indicated: 0, unverified: 0, regressed: 0,
  rejected: 0, deferred: 0, stale: 0, open: 0, inReview: 0, overdue: 0,
}; // prettier-ignore
const empty = {
  auditCount: 0,
  projectCount: 0,
  total: none,
  byTeam: [],
  byProject: { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, edges: [] },
  bySection: [],
  byHardware: [],
  verifiedGains: [],
  audits: { totalCount: 0, edges: [] },
};

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function portfolio(viewer: { id: string } | null, filter?: object, page: object = { first: 50 }) {
  const { data, errors } = await app.as(viewer).send(PORTFOLIO, { filter, ...page });
  expect(errors).toEqual([]);
  return data.portfolio;
}

const projectsIn = (found: { byProject: { edges: { node: { project: { slug: string } } }[] } }) =>
  found.byProject.edges.map(({ node }) => node.project.slug);
const auditsIn = (found: { audits: { edges: { node: { id: string } }[] } }) =>
  found.audits.edges.map(({ node }) => node.id);
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

/** A project that the member may see, of a team or of none. */
async function projectOf(member: { id: string }, name: string, teamId: string | null): Promise<given.Team> {
  const team = await given.project(app.db, { name });
  await app.db.project.update({ where: { id: team.project.id }, data: { teamId } });
  await app.db.projectMember.create({ data: { projectId: team.project.id, userId: member.id, role: 'VIEWER' } });
  return team;
}

async function newTeam(name: string): Promise<{ id: string; slug: string }> {
  return app.db.team.create({ data: { slug: `team-${randomUUID().slice(0, 13)}`, name } });
}

describe('portfolio', () => {
  let member: { id: string };
  let red: { id: string; slug: string };
  let blue: { id: string; slug: string };
  let checklist: string;
  let [one, two, three]: given.Team[] = [];
  const audits: Record<string, string> = {};

  beforeAll(async () => {
    member = await given.user(app.db);
    [red, blue] = [await newTeam('Red'), await newTeam('Blue')];
    checklist = await sectionedChecklist(app, member, { alpha: 3, beta: 2 });
    one = await projectOf(member, 'One', red.id);
    two = await projectOf(member, 'Two', red.id);
    three = await projectOf(member, 'Three', null);
    const hidden = await given.project(app.db, { name: 'Hidden' });
    await app.db.project.update({ where: { id: hidden.project.id }, data: { teamId: red.id } });
    const other = await given.project(app.db, { name: 'Other' });
    await app.db.project.update({ where: { id: other.project.id }, data: { teamId: blue.id } });

    const h200 = await app.db.hardwareProfile.findUniqueOrThrow({ where: { slug: 'h200-sxm' } });
    const environment = await given.environment(app.db, one.project.id, { name: 'lab' });
    const lab = { checklist, environmentId: environment.id, scopeHardwareId: h200.id };
    audits['old'] = await auditOf(app, one, { checklist: lab.checklist, environmentId: lab.environmentId, status: 'CLOSED', createdAt: day(1) }, () => ({ outcome: 'APPLIED' }));
    audits['lab'] = await auditOf(
      app,
      one,
      { ...lab, status: 'CLOSED', createdAt: day(2) },
      (index) => [
        { outcome: 'APPLIED' as const, work: 'DONE' as const, measuredProof: 'REGRESSED' as const },
        { outcome: 'REJECTED' as const, work: 'IN_REVIEW' as const, dueAt: day(1) },
        { applies: 'NO' as const, dueAt: day(1) },
        { outcome: 'DEFERRED' as const, recheckCode: 'EXPIRED' as const, recheckSince: day(2) },
        { isArchived: true },
      ][index] ?? {},
      ['beta'],
    );
    audits['nowhere'] = await auditOf(app, one, { checklist, createdAt: day(3) }, () => ({}));
    audits['two'] = await auditOf(app, two, { checklist, scopeHardwareId: h200.id, createdAt: day(4) }, () => ({ work: 'DONE', outcome: 'ALREADY_IN_PLACE' }));
    audits['three'] = await auditOf(app, three, { checklist, createdAt: day(5) }, () => ({ applies: 'UNKNOWN' }), ['gone']);
    for (const team of [hidden, other]) await auditOf(app, team, { checklist, createdAt: day(6) }, () => ({ outcome: 'APPLIED' }));
  }); // prettier-ignore

  it('counts open audits, and the newest of each project, checklist and environment, newest first', async () => {
    const found = await portfolio(member);
    expect(auditsIn(found)).toEqual([audits['three'], audits['two'], audits['nowhere'], audits['lab']]);
    expect([found.auditCount, found.projectCount, found.audits.totalCount]).toEqual([4, 3, 4]);
    const lab = { ...none, total: 5, applicable: 4, assessed: 2, done: 1, applied: 1, regressed: 1, rejected: 1, deferred: 1, stale: 1, open: 2, inReview: 1, overdue: 1 };
    expect((await portfolio(member, { projects: [one?.project.slug], hardware: 'h200-sxm' })).total).toEqual(lab);
    const others = { total: 16, applicable: 16, assessed: 5, done: 5, open: 11 };
    const sum = Object.entries(lab).map(([name, count]) => [name, count + (others[name as keyof typeof others] ?? 0)]);
    expect(found.total).toEqual(Object.fromEntries(sum));
  }); // prettier-ignore

  it('goes on counting an open audit when a newer one is opened beside it', async () => {
    const own = await sectionedChecklist(app, member, { alpha: 1 });
    const team = await projectOf(member, 'Four', null);
    const at = [day(1), day(2), day(3)] as const;
    const closed = await auditOf(app, team, { checklist: own, status: 'CLOSED', createdAt: at[0] }, () => ({ outcome: 'APPLIED' }));
    const worked = await auditOf(app, team, { checklist: own, createdAt: at[1] }, () => ({ outcome: 'APPLIED' }));
    const empty = await auditOf(app, team, { checklist: own, createdAt: at[2] }, () => ({}));
    const asked = { projects: [team.project.slug] };
    expect(auditsIn(await portfolio(member, asked))).toEqual([empty, worked]);
    await app.db.audit.updateMany({ where: { projectId: team.project.id }, data: { status: 'CLOSED' } });
    expect(auditsIn(await portfolio(member, asked))).toEqual([empty]);
    expect(auditsIn(await portfolio(member, { ...asked, audits: 'ALL' }))).toEqual([empty, worked, closed]);
    await app.db.projectMember.deleteMany({ where: { projectId: team.project.id, userId: member.id } });
  }); // prettier-ignore

  it('groups by team, project, section and hardware, by name, what has none last', async () => {
    const { byTeam, byProject, bySection, byHardware } = await portfolio(member);
    expect(byTeam).toMatchObject([
      { slug: red.slug, name: 'Red', projectCount: 2, auditCount: 3, counts: { total: 15, done: 6 } },
      { slug: null, name: null, projectCount: 1, auditCount: 1, counts: { total: 6, done: 0 } },
    ]);
    expect(byProject.edges.map(({ node }: { node: object }) => node)).toMatchObject([
      { project: { slug: one?.project.slug }, auditCount: 2, counts: { total: 10 }, verifiedGains: [] },
      { project: { slug: three?.project.slug }, auditCount: 1, counts: { total: 6 } },
      { project: { slug: two?.project.slug }, auditCount: 1, counts: { total: 5 } },
    ]);
    expect(bySection).toMatchObject([
      { checklist, key: 'alpha', title: { en: 'Section alpha', zh: '章节 alpha' }, counts: { total: 12, applied: 1 } },
      { checklist, key: 'beta', counts: { total: 8, deferred: 1 } },
      { checklist, key: 'gone', title: { en: 'gone', zh: 'gone' }, counts: { total: 1 } },
    ]);
    const { name } = await app.db.hardwareProfile.findUniqueOrThrow({ where: { slug: 'h200-sxm' } });
    expect(byHardware).toMatchObject([
      { slug: 'h200-sxm', name, auditCount: 2, counts: { total: 10 } },
      { slug: null, name: null, auditCount: 2, counts: { total: 11 } },
    ]);
  });

  it.each<[string, () => object, string[]]>([
    ['all audits', () => ({ audits: 'ALL' }), ['three', 'two', 'nowhere', 'lab', 'old']],
    ['open audits', () => ({ audits: 'OPEN' }), ['three', 'two', 'nowhere']],
    ['a team', () => ({ teams: [red.slug] }), ['two', 'nowhere', 'lab']],
    ['projects', () => ({ projects: [three?.project.slug, two?.project.slug] }), ['three', 'two']],
    ['a team and a project of another', () => ({ teams: [red.slug], projects: [three?.project.slug] }), []],
    ['a checklist', () => ({ checklist }), ['three', 'two', 'nowhere', 'lab']],
    ['a checklist that no audit is on', () => ({ checklist: 'application-level' }), []],
    ['hardware', () => ({ hardware: 'h200-sxm' }), ['two', 'lab']],
    ['hardware that nobody has', () => ({ hardware: 'mi300x' }), []],
    ['all of it', () => ({ teams: [red.slug], projects: [one?.project.slug], checklist, hardware: 'h200-sxm', audits: 'ALL' }), ['lab']],
  ])('looks at %s', async (_, filter, names) => {
    expect(auditsIn(await portfolio(member, filter()))).toEqual(names.map((name) => audits[name]));
  }); // prettier-ignore

  it('counts as open what the plan lists', async () => {
    const team = await projectOf(member, 'Planned', null);
    const own = await sectionedChecklist(app, member, { alpha: 10 });
    const mark = { recheckCode: 'EXPIRED', recheckSince: day(2) } as const;
    const auditId = await auditOf(app, team, { checklist: own }, (index) => [
      { outcome: 'APPLIED' as const, work: 'DONE' as const, ...mark },
      { outcome: 'NOT_APPLICABLE' as const, work: 'DONE' as const, ...mark },
      { applies: 'NO' as const, ...mark },
      { outcome: 'DEFERRED' as const, expiresAt: day(1) },
      { outcome: 'DEFERRED' as const, expiresAt: new Date('2099-01-01T00:00:00Z') },
      { outcome: 'DEFERRED' as const },
      { outcome: 'APPLIED' as const, work: 'IN_PROGRESS' as const },
      { outcome: 'REJECTED' as const, work: 'IN_REVIEW' as const },
      { work: 'IN_PROGRESS' as const },
    ][index] ?? {});
    const { data } = await app.as(member).send(
      'query($id: ID!) { audit(id: $id) { plan { totalCount } all: plan(isOpenOnly: false) { edges { node { isOpen } } } } }',
      { id: auditId },
    );
    const { total } = await portfolio(member, { projects: [team.project.slug] });
    expect([total.open, data.audit.plan.totalCount]).toEqual([6, 6]);
    expect(data.audit.all.edges.filter(({ node }: { node: { isOpen: boolean } }) => node.isOpen)).toHaveLength(6);
    await app.db.projectMember.deleteMany({ where: { projectId: team.project.id, userId: member.id } });
  }); // prettier-ignore

  it('gives the projects and the audits page by page', async () => {
    const first = await portfolio(member, {}, { first: 2 });
    const { endCursor, hasNextPage } = first.byProject.pageInfo;
    expect([first.byProject.totalCount, hasNextPage, first.projectCount]).toEqual([3, true, 3]);
    expect(auditsIn(first)).toEqual([audits['three'], audits['two']]);
    const next = await portfolio(member, {}, { first: 2, after: endCursor });
    expect([...projectsIn(first), ...projectsIn(next)]).toEqual([one, three, two].map((team) => team?.project.slug));
    const { errorCode } = await app.as(member).send(PORTFOLIO, { first: 101 });
    expect(errorCode).toBe('INVALID_INPUT');
  });

  it.each<[string, () => object, string, string, string]>([
    ['a project that is not there', () => ({ projects: ['nope'] }), 'NOT_FOUND', 'There is no project "nope"', '没有项目“nope”'],
    ['a team that is not there', () => ({ teams: ['nope'] }), 'NOT_FOUND', 'There is no team "nope" with a project', '没有拥有项目的团队“nope”'],
    ['a team of hidden projects', () => ({ teams: [blue.slug] }), 'NOT_FOUND', 'There is no team "$" with a project', '没有拥有项目的团队“$”'],
    ['a checklist that is not there', () => ({ checklist: 'nope' }), 'NOT_FOUND', 'There is no checklist "nope"', '没有清单“nope”'],
    ['unknown hardware', () => ({ hardware: 'h200-sxn' }), 'INVALID_INPUT', 'There is no hardware profile "h200-sxn" (did you mean h200-sxm, h100-sxm, h800-sxm?); the query hardwareProfiles lists all', '没有硬件配置“h200-sxn”（是否指 h200-sxm、h100-sxm、h800-sxm？）；查询 hardwareProfiles 可列出全部'],
  ])('names %s, in the language of the viewer', async (_, filter, code, en, zh) => {
    const { errors, errorCode } = await app.as(member).send(PORTFOLIO, { filter: filter() });
    expect([errorCode, errors[0]?.message]).toEqual([code, en.replace('$', blue.slug)]);
    const reader = await given.chineseMember(app.db, one?.project.id ?? '', 'VIEWER');
    const chinese = await app.as(reader).send(PORTFOLIO, { filter: filter() });
    expect(chinese.errors[0]?.message).toBe(zh.replace('$', blue.slug));
  }); // prettier-ignore

  it('shows strangers and nobody nothing, and a member of one project that one alone', async () => {
    const stranger = await given.user(app.db);
    for (const viewer of [stranger, null]) expect(await portfolio(viewer)).toEqual(empty);
    expect(await portfolio(stranger, { audits: 'ALL' })).toEqual(empty);

    const reader = two?.viewer ?? stranger;
    const found = await portfolio(reader, { audits: 'ALL' });
    expect([projectsIn(found), auditsIn(found)]).toEqual([[two?.project.slug], [audits['two']]]);
    expect(found).toMatchObject({
      auditCount: 1,
      projectCount: 1,
      total: { total: 5, done: 5 },
      byTeam: [{ slug: red.slug, projectCount: 1, auditCount: 1, counts: { total: 5 } }],
      byHardware: [{ slug: 'h200-sxm', auditCount: 1 }],
      verifiedGains: [],
    });
    for (const filter of [{ projects: [one?.project.slug] }, { projects: ['nope'] }]) {
      const { errors } = await app.as(reader).send(PORTFOLIO, { filter });
      expect(errors[0]?.message).toBe(`There is no project "${filter.projects[0]}"`);
    }
  });

  it('shows a member of a team its projects, and an administrator all', async () => {
    const someone = await given.user(app.db);
    await app.db.teamMember.create({ data: { teamId: red.id, userId: someone.id, role: 'VIEWER' } });
    expect((await portfolio(someone)).projectCount).toBe(3);
    const admin = await app.db.user.create({ data: { name: 'Admin', role: 'ADMIN' } });
    expect((await portfolio(admin, { checklist })).projectCount).toBe(5);
  });
});

describe('verifiedGains', () => {
  const better = (factor: number) => [100, 101, 102, 103].map((value) => value * factor);

  it('are of the newest trial with a verdict of each verified item, overall and by project', async () => {
    const member = await given.user(app.db);
    const checklist = await sectionedChecklist(app, member, { alpha: 6 });
    const measure = async (team: given.Team, auditItemId: string, factor: number, change: object = {}) => {
      const { errors } = await app.as(team.contributor).send(
        'mutation($input: RecordMeasurementInput!) { recordMeasurement(input: $input) { id } }',
        {
          input: {
            auditItemId,
            metric: 'training.throughput',
            before: better(1),
            after: better(factor),
            sampling: 'SEPARATE_SESSIONS',
            ...change,
          },
        },
      );
      expect(errors).toEqual([]);
    };
    const measured = async (name: string, factors: readonly number[]) => {
      const team = await projectOf(member, name, null);
      const auditId = await auditOf(app, team, { checklist }, () => ({}));
      const items = await app.db.auditItem.findMany({ where: { auditId }, orderBy: { position: 'asc' } });
      for (const [index, factor] of factors.entries()) {
        const { id = '' } = items[index] ?? {};
        await assess(app, team.contributor, id, { outcome: 'APPLIED' });
        await measure(team, id, factor);
      }
      return { team, idOf: (index: number) => items[index]?.id ?? '' };
    };

    const first = await measured('First', [1.1, 1.2, 1.3, 1.15]);
    await measure(first.team, first.idOf(0), 1.4);
    await measure(first.team, first.idOf(1), 1, { isControl: true });
    await measure(first.team, first.idOf(2), 1.3, { metric: 'training.step_time', before: better(1), after: better(0.5) });
    // Measured as an improvement, and not applied after all
    await assess(app, first.team.contributor, first.idOf(3), { outcome: 'REJECTED', reasonCode: 'TOO_RISKY', reason: 'No' });
    const second = await measured('Second', [1.5, 0.5]);

    const found = await portfolio(member);
    const gains = (node: { verifiedGains: { metric: { key: string }; count: number }[] }) =>
      node.verifiedGains.map(({ metric, count, ...values }) => [
        metric.key,
        count,
        ...Object.values(values).map((value) => Number(Number(value).toFixed(6))),
      ]);
    expect(found.total).toMatchObject({ verified: 4, regressed: 1, applied: 5, rejected: 1 });
    expect(gains(found)).toEqual([
      ['training.throughput', 3, 0.4, 0.2, 0.5],
      ['training.step_time', 1, 1, 1, 1],
    ]);
    expect(found.byProject.edges.map(({ node }: { node: never }) => gains(node))).toEqual([
      [
        ['training.throughput', 2, 0.3, 0.2, 0.4],
        ['training.step_time', 1, 1, 1, 1],
      ],
      [['training.throughput', 1, 0.5, 0.5, 0.5]],
    ]);
    expect(gains(await portfolio(second.team.viewer))).toEqual([['training.throughput', 1, 0.5, 0.5, 0.5]]);
  }); // prettier-ignore
});

describe('the cost of a portfolio', () => {
  it('is the same for many audits as for one, and at most ten statements', async () => {
    const member = await given.user(app.db);
    const checklist = await sectionedChecklist(app, member, { alpha: 2 });
    const team = await newTeam('Costly');
    const add = async (name: string) => {
      const made = await projectOf(member, name, team.id);
      await auditOf(app, made, { checklist }, () => ({ outcome: 'APPLIED', measuredProof: 'VERIFIED' }));
      return made.project.slug;
    };
    const slugs = [await add('First')];
    const ask = () => portfolio(member, { teams: [team.slug], projects: slugs, checklist, hardware: null });
    const few = await app.statementsOf(ask);
    for (let index = 0; index < 12; index++) slugs.push(await add(`Project ${index}`));
    const many = await app.statementsOf(async () => expect((await ask()).projectCount).toBe(13));
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(10);
  });
});
