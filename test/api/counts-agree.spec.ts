import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { seeded } from '../support/mutated-text.js';
import { auditOf, randomState, sectionedChecklist } from '../support/random-audit.js';

// Every place that counts items says the same, for audits in states that chance has made.

const PROGRESS = 'total applicable assessed done verified';
const COUNTS = `${PROGRESS} applied indicated unverified regressed rejected deferred stale open inReview overdue`;
const PROJECTS = 3;
const AUDITS = 18;

type Counts = Readonly<Record<string, number>>;

interface Node {
  readonly work: string;
  readonly outcome: string;
  readonly proof: string | null;
  readonly dueAt: string | null;
  readonly expiresAt: string | null;
  readonly recheck: object | null;
  readonly applicability: { readonly answer: string };
}

/** Counted from what the API says of each item, by the words of the schema. */
function countsOf(nodes: readonly Node[]): Counts {
  const applicable = nodes.filter(
    ({ applicability, outcome }) => applicability.answer !== 'NO' && outcome !== 'NOT_APPLICABLE',
  );
  const number = (condition: (node: Node) => boolean) => applicable.filter(condition).length;
  const now = new Date();
  const isLeft = ({ applicability, work, outcome, recheck, expiresAt }: Node): boolean => {
    if (applicability.answer === 'NO') return false;
    if (recheck !== null) return true;
    const isPutOff = expiresAt !== null && new Date(expiresAt) > now;
    return work !== 'DONE' && (outcome === 'NOT_ASSESSED' || (outcome === 'DEFERRED' && !isPutOff));
  };
  return {
    total: nodes.length,
    applicable: applicable.length,
    assessed: number(({ outcome, recheck }) => outcome !== 'NOT_ASSESSED' && recheck === null),
    done: number(({ work }) => work === 'DONE'),
    verified: number(({ proof }) => proof === 'VERIFIED'),
    applied: number(({ outcome }) => outcome === 'APPLIED'),
    indicated: number(({ proof }) => proof === 'INDICATED'),
    unverified: number(({ proof }) => proof === 'UNVERIFIED'),
    regressed: number(({ proof }) => proof === 'REGRESSED'),
    rejected: number(({ outcome }) => outcome === 'REJECTED'),
    deferred: number(({ outcome }) => outcome === 'DEFERRED'),
    stale: number(({ recheck }) => recheck !== null),
    open: nodes.filter(isLeft).length,
    inReview: number(({ work }) => work === 'IN_REVIEW'),
    overdue: number(({ work, dueAt }) => work !== 'DONE' && dueAt !== null && new Date(dueAt) < now),
  };
}

function sumOf(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

/** Only what the progress counts. */
function progressIn(counts: Counts): Counts {
  return Object.fromEntries(PROGRESS.split(' ').map((name) => [name, counts[name] ?? Number.NaN]));
}

interface Seen {
  readonly id: string;
  readonly projectId: string;
  readonly checklist: string;
  readonly hardware: string | null;
  readonly counts: Counts;
}

let app: TestApp;
let member: { id: string };
const seen: Seen[] = [];

async function itemsOf(id: string): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let after: string | null = null; ;) {
    const { data, errors } = await app.as(member).send(
      `query($id: ID!, $after: String) {
         audit(id: $id) {
           items(first: 17, after: $after) {
             pageInfo { hasNextPage endCursor }
             edges { node { work outcome proof dueAt expiresAt recheck { code } applicability { answer } } }
           }
         }
       }`,
      { id, after },
    );
    expect(errors).toEqual([]);
    const { edges, pageInfo } = data.audit.items;
    nodes.push(...edges.map(({ node }: { node: Node }) => node));
    if (!pageInfo.hasNextPage) return nodes;
    after = pageInfo.endCursor;
  }
}

async function portfolio(filter: object) {
  const { data, errors } = await app.as(member).send(
    `query($filter: PortfolioFilter) {
       portfolio(filter: $filter) {
         auditCount projectCount total { ${COUNTS} }
         byTeam { slug auditCount projectCount counts { ${COUNTS} } }
         byProject(first: 100) { edges { node { project { id } auditCount counts { ${COUNTS} } } } }
         bySection { checklist key counts { ${COUNTS} } }
         byHardware { slug auditCount counts { ${COUNTS} } }
         audits(first: 100) { edges { node { id } } }
       }
     }`,
    { filter },
  );
  expect(errors).toEqual([]);
  return data.portfolio;
}

beforeAll(async () => {
  app = await startApp();
  member = await given.user(app.db);
  const random = seeded(20_261_130);
  const below = (limit: number) => Math.floor(random() * limit);
  const checklists = [
    await sectionedChecklist(app, member, { alpha: 9, beta: 14, gamma: 3 }),
    await sectionedChecklist(app, member, { beta: 20, delta: 1 }),
  ];
  const profiles = await app.db.hardwareProfile.findMany({ where: { slug: { in: ['h200-sxm', 'mi300x'] } } });
  const teams: given.Team[] = [];
  for (let index = 0; index < PROJECTS; index++) {
    const team = await given.project(app.db, { name: `Project ${index}` });
    await app.db.projectMember.create({ data: { projectId: team.project.id, userId: member.id, role: 'VIEWER' } });
    teams.push(team);
  }
  for (let index = 0; index < AUDITS; index++) {
    const team = teams[index % PROJECTS];
    const checklist = checklists[below(2)] ?? '';
    const profile = [...profiles, null][below(3)] ?? null;
    if (!team) throw new Error('No team');
    const sections = Array.from({ length: below(5) }, () => ['beta', 'gone', 'delta'][below(3)] ?? '');
    const id = await auditOf(
      app,
      team,
      {
        checklist,
        scopeHardwareId: profile?.id ?? null,
        status: random() < 0.3 ? 'CLOSED' : 'OPEN',
        createdAt: new Date(1_790_000_000_000 + below(1_000_000) * 1000),
      },
      () => randomState(random),
      sections,
    );
    const counts = countsOf(await itemsOf(id));
    seen.push({ id, projectId: team.project.id, checklist, hardware: profile?.slug ?? null, counts });
  }
});
afterAll(() => app.close());

describe('in audits of every kind', () => {
  it('items are in every state that counts', () => {
    expect(Object.values(sumOf(seen.map(({ counts }) => counts))).every((count) => count > 0)).toBe(true);
  });

  it('the progress counts what the list of items shows', async () => {
    for (const { id, counts } of seen) {
      const { data } = await app.as(member).send(`query($id: ID!) { audit(id: $id) { progress { ${PROGRESS} } } }`, { id });
      expect(data.audit.progress).toEqual(progressIn(counts));
    }
  }); // prettier-ignore

  it('the sections add up to the progress, in the order of the checklist', async () => {
    for (const { id, counts } of seen) {
      const { data, errors } = await app.as(member).send(
        `query($id: ID!) {
           audit(id: $id) { sections { key section { key order } progress { ${PROGRESS} } } checklist { sections { key } } }
         }`,
        { id },
      );
      expect(errors).toEqual([]);
      const { sections, checklist } = data.audit;
      expect(sumOf(sections.map(({ progress }: { progress: Counts }) => progress))).toEqual(progressIn(counts));
      const keys = checklist.sections.map(({ key }: { key: string }) => key);
      expect(sections.slice(0, keys.length)).toMatchObject(keys.map((key: string) => ({ key, section: { key } })));
      for (const one of sections.slice(keys.length)) expect(one.section).toBeNull();
    }
  });

  it('filters of the list find as many', async () => {
    const applies = ['YES', 'UNKNOWN'];
    const assessed = ['ALREADY_IN_PLACE', 'APPLIED', 'REJECTED', 'DEFERRED'];
    const filters = {
      total: {},
      applicable: { applies, outcome: ['NOT_ASSESSED', ...assessed] },
      assessed: { applies, outcome: assessed, hasRecheck: false },
      done: { applies, outcome: ['NOT_ASSESSED', ...assessed], work: ['DONE'] },
      verified: { applies, proof: ['VERIFIED'] },
      applied: { applies, outcome: ['APPLIED'] },
      unverified: { applies, proof: ['UNVERIFIED'] },
      stale: { applies, outcome: ['NOT_ASSESSED', ...assessed], hasRecheck: true },
      inReview: { applies, outcome: ['NOT_ASSESSED', ...assessed], work: ['IN_REVIEW'] },
      overdue: {
        applies,
        outcome: ['NOT_ASSESSED', ...assessed],
        work: ['TODO', 'IN_PROGRESS', 'IN_REVIEW'],
        dueBefore: new Date(),
      },
    };
    const fields = Object.keys(filters).map((name) => `${name}: items(filter: $${name}, first: 1) { totalCount }`);
    const variables = Object.keys(filters).map((name) => `$${name}: AuditItemFilter`);
    const query = `query($id: ID!, ${variables.join(', ')}) { audit(id: $id) { ${fields.join(' ')} } }`;
    for (const { id, counts } of seen) {
      const { data, errors } = await app.as(member).send(query, { id, ...filters });
      expect(errors).toEqual([]);
      const found = Object.entries(data.audit).map(([name, items]) => [name, (items as { totalCount: number }).totalCount]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.keys(filters).map((name) => [name, counts[name]])));
    }
  }); // prettier-ignore

  it('the plan lists what is open', async () => {
    for (const { id, counts } of seen) {
      const query = 'query($id: ID!) { audit(id: $id) { plan(first: 1) { totalCount } } }';
      const { data, errors } = await app.as(member).send(query, { id });
      expect(errors).toEqual([]);
      expect(data.audit.plan.totalCount).toBe(counts.open);
    }
  });

  it('the portfolio counts each audit as its list does', async () => {
    for (const { projectId } of seen.slice(0, PROJECTS)) {
      const { slug } = await app.db.project.findUniqueOrThrow({ where: { id: projectId } });
      const own = seen.filter((audit) => audit.projectId === projectId);
      const { auditCount, total } = await portfolio({ projects: [slug], audits: 'ALL' });
      expect([auditCount, total]).toEqual([own.length, sumOf(own.map(({ counts }) => counts))]);
    }
  });

  it('the exported record counts them all, and section by section', async () => {
    for (const { id, counts } of seen) {
      const { data, errors } = await app.as(member).send(
        `query($id: ID!) {
           auditExport(id: $id, format: JSON) { content }
           audit(id: $id) { sections { key section { key } progress { ${PROGRESS} } } }
         }`,
        { id },
      );
      expect(errors).toEqual([]);
      const record = JSON.parse(data.auditExport.content);
      expect(record.progress).toEqual(progressIn(counts));
      const sections = data.audit.sections.filter(({ section }: { section: object | null }) => section !== null);
      expect(record.sections.map(({ key, progress }: { key: string; progress: Counts }) => [key, progress])).toEqual(
        sections.map(({ key, progress }: { key: string; progress: Counts }) => [key, progress]),
      );
    }
  });

  it.each(['ALL', 'OPEN', 'CURRENT'])(
    'the rows of a portfolio of audits %s add up to what the lists of these audits show',
    async (audits) => {
      const found = await portfolio({ audits });
      const ids = found.audits.edges.map(({ node }: { node: { id: string } }) => node.id);
      const own = seen.filter(({ id }) => ids.includes(id));
      expect([own.length, found.auditCount]).toEqual([ids.length, ids.length]);
      const expected = sumOf(own.map(({ counts }) => counts));
      expect(found.total).toEqual(expected);
      const projects = found.byProject.edges.map(({ node }: { node: { counts: Counts } }) => node);
      for (const rows of [found.byTeam, projects, found.bySection, found.byHardware]) {
        expect(sumOf(rows.map(({ counts }: { counts: Counts }) => counts))).toEqual(expected);
      }
      for (const rows of [found.byTeam, projects, found.byHardware]) {
        expect(rows.reduce((sum: number, row: { auditCount: number }) => sum + row.auditCount, 0)).toBe(ids.length);
      }
      const by = (keyOf: (audit: Seen) => string | null, key: string | null) =>
        sumOf(own.filter((audit) => keyOf(audit) === key).map(({ counts }) => counts));
      for (const { project, counts } of projects) expect(counts).toEqual(by((audit) => audit.projectId, project.id));
      for (const { slug, counts } of found.byHardware) expect(counts).toEqual(by(({ hardware }) => hardware, slug));
      const checklists = new Set(own.map(({ checklist }) => checklist));
      for (const checklist of checklists) {
        const sections = found.bySection.filter((row: { checklist: string }) => row.checklist === checklist);
        expect(sumOf(sections.map(({ counts }: { counts: Counts }) => counts))).toEqual(by((audit) => audit.checklist, checklist));
      }
    },
  ); // prettier-ignore
});
