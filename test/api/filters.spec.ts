import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import * as given from '../support/given.js';

// What a caller forgot to fill in must not widen what is listed.

let app: TestApp;
let made: given.GivenAudit;
let chinese: { id: string };
beforeAll(async () => {
  app = await startApp();
  made = await given.audit(app.db);
  chinese = await given.chineseMember(app.db, made.project.id);
});
afterAll(() => app.close());

const lists = {
  items: 'query($filter: ItemFilter) { items(filter: $filter) { totalCount } }',
  notes: 'query($filter: NoteFilter) { notes(filter: $filter) { totalCount } }',
  search: 'query($filter: SearchFilter) { search(query: "", filter: $filter) { totalCount } }',
  portfolio: 'query($filter: PortfolioFilter) { portfolio(filter: $filter) { auditCount } }',
  auditItems: 'query($id: ID!, $filter: AuditItemFilter) { audit(id: $id) { items(filter: $filter) { totalCount } } }',
  auditHistory:
    'query($id: ID!, $filter: HistoryFilter) { audit(id: $id) { history(filter: $filter) { totalCount } } }',
};

describe('a filter', () => {
  it.each([
    ['items', ['section', 'layer', 'workload', 'hardware', 'text']],
    ['notes', ['slug', 'item', 'hardware']],
    ['search', ['project', 'team', 'checklist', 'section']],
    ['portfolio', ['checklist', 'hardware']],
    ['auditItems', ['section', 'assigneeId', 'text']],
    ['auditHistory', ['by']],
  ] as const)('of %s refuses an empty text in each of %j', async (list, fields) => {
    for (const field of fields) {
      for (const text of ['', ' \t']) {
        const variables = { id: made.audit.id, filter: { [field]: text } };
        const { errors } = await app.as(made.viewer).send(lists[list], variables);
        expect(errors.map(({ message, extensions }) => [message, extensions])).toEqual([
          [
            `filter.${field} is empty: leave it out to ask nothing of it`,
            { code: 'INVALID_INPUT', place: `filter.${field}` },
          ],
        ]);
      }
    }
    const [field] = fields;
    const { errors } = await app.as(chinese).send(lists[list], { id: made.audit.id, filter: { [field]: '' } });
    expect(errors[0]?.message).toBe(`filter.${field} 为空：如不限制该条件，请省略此字段`);
  });

  it.each([
    ['items', ['tags']],
    ['notes', ['tags', 'outcome']],
    ['search', ['kinds', 'tags', 'hardware', 'frameworks', 'languages', 'outcome', 'verdict']],
    ['portfolio', ['teams', 'projects']],
    ['auditItems', ['tags', 'ids', 'work', 'outcome', 'applies', 'proof', 'priority']],
    ['auditHistory', ['fields', 'subjects', 'itemIds']],
  ] as const)('of %s lets nothing through by an empty list in any of %j', async (list, fields) => {
    for (const field of fields) {
      const variables = { id: made.audit.id, filter: { [field]: [] } };
      const { data, errors } = await app.as(made.viewer).send(lists[list], variables);
      expect([field, errors]).toEqual([field, []]);
      expect([field, JSON.stringify(data)]).toEqual([field, expect.stringMatching(/Count":0\}+$/)]);
    }
  });
});
