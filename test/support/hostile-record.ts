import { expect } from '@jest/globals';
import { readAuditRecord } from '../../src/domain/report/read-record.js';
import type { TestApp } from './app.js';
import { IMPORT } from './exported.js';
import type { Team } from './given.js';
import { withPeople } from './rich-audit.js';
import { added, rowsOf } from './rows.js';

// All that is read of an audit that was made of a record which nobody would write.

const READS = [
  `query($id: ID!) { audit(id: $id) {
    title status createdAt closedAt requiresReview touchedAt createdBy { name } clonedFrom { id } endToEndTrial { id }
    timeBreakdown { compute other note at by { name } } progress { total applicable assessed done verified }
    environment { name } scope { hardware { slug } facts } sections { section { key } progress { done } }
    items(first: 500) { edges { node {
      item { key title { text } } work outcome reasonCode reason remark proof isArchived priority dueAt expiresAt updatedAt
      applicability { answer reasons { text } } derived { answer } overruling { answer reason by at }
      recheck { code since cause { text } } plannedChange expectation adoptedFrom { id } assignee { name }
      assessedBy { name } assessedAt submittedBy { name } submittedAt acceptedBy { name } acceptedAt
      commentCount comments { edges { node { authorName body decision createdAt editedAt replies { edges { node { body } } } } } }
      warnings { __typename }
    } } } } }`,
  `query($id: ID!) { audit(id: $id) { items(first: 500) { edges { node { trials {
    hypothesis variable guardrails verdict isControl createdAt primaryMetric { key name { text } }
    comparisons { gain pValue moreRunsPerArm dimensions warnings { message { text } } samples { value } }
    beforeRuns { source status tool session block variant environment workload startedAt createdAt
      observations { edges { node { value repeats dimensions distribution { count mean max } metric { key name { text } } } } } }
  } } } } } }`,
  `query($id: ID!) { audit(id: $id) {
    history(first: 100) { edges { node { at byName subject subjectId field before after reason text { en zh } auditItem { id } } } }
    milestones { edges { node { name createdAt checklist release status facts timeBreakdown
      progress { total applicable assessed done verified } items(first: 100) { edges { node { key title { text } proof verdict { gain } } } } } } }
  } }`,
  `query($id: ID!) { audit(id: $id) {
    plan(first: 100, isOpenOnly: false) { edges { node { rank score explanation { text } auditItem { item { key } } } } }
    waterfall { gain steps { gain measuredAt } endToEnd { gain } remarks { text } } } }`,
  ...['JSON', 'MARKDOWN', 'HTML', 'CSV'].map(
    (format) => `query($id: ID!) { auditExport(id: $id, format: ${format}, locale: ZH) { fileName content } }`,
  ),
  'query($id: ID!) { historyExport(auditId: $id, format: CSV, locale: EN) { fileName } }',
  '{ portfolio(filter: { audits: ALL }) { auditCount total { total verified } verifiedGains { medianGain } } }',
];

/** Sees that everything that can be asked of an audit is answered. */
export async function expectReadable(app: TestApp, who: { id: string }, id: string): Promise<void> {
  for (const query of READS) {
    const { errors } = await app.as(who).send(query, query.includes('$id') ? { id } : {});
    expect(errors).toEqual([]);
  }
}

/** What became of a spoiled record: nothing was written and it is said where, or all of what was written is read. */
export async function attempted(app: TestApp, team: Team, content: string): Promise<'REFUSED' | 'WRITTEN'> {
  const { project, maintainer } = await withPeople(app, team);
  const before = await rowsOf(app.db);
  const { data, errors } = await app.as(maintainer).send(IMPORT, { input: { projectId: project.id, content } });
  const audit = data?.importAudit.audit;
  if (audit) {
    await expectReadable(app, maintainer, audit.id);
    return 'WRITTEN';
  }
  // A checklist that is to be imported first is an error, all else a problem
  const said = { errors: errors.map(({ extensions }) => extensions), problems: data?.importAudit.problems ?? [] };
  expect(said).toEqual(
    errors.length > 0
      ? { errors: [expect.objectContaining({ code: 'INVALID_INPUT', place: 'checklist' })], problems: [] }
      : { errors: [], problems: expect.arrayContaining([expect.objectContaining({ isBlocking: true })]) },
  );
  expect(added(before, await rowsOf(app.db))).toEqual({});
  return 'REFUSED';
}

/** Whether reading alone refuses a record: it costs next to nothing. */
export const isRefusedByReading = (content: string): boolean => readAuditRecord(content, new Date()).record === null;
