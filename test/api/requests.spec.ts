import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { startApp, type TestApp } from '../support/app.js';
import { added, rowsOf } from '../support/rows.js';

// What comes in over HTTP, and what no resolver ever sees.

let app: TestApp;
let logged: jest.SpiedFunction<Logger['error']>;
beforeAll(async () => {
  app = await startApp();
  await app.owner.send('{ viewer { id } }');
});
afterAll(() => app.close());
beforeEach(() => {
  logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
});
// Nothing that a caller does is a failure of the service.
afterEach(() => {
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
});

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}
const refusal = ({ data, errors }: Body) => ({
  data,
  code: errors?.[0]?.extensions.code,
  message: errors?.[0]?.message,
});

/** Sends bytes as they are. */
async function post(body: string, type = 'application/json'): Promise<Body> {
  const server = request(app.nest.getHttpServer());
  const { body: answer } = await server.post('/graphql').set('x-test-viewer', 'owner').set('content-type', type).send(body);
  return answer as Body;
} // prettier-ignore

describe('a request', () => {
  it.each([
    ['without a query', '{}', 'Unknown query'],
    ['with an empty query', '{"query":""}', 'Unknown query'],
    ['with null for a query', '{"query":null}', 'Unknown query'],
    ['with a number for a query', '{"query":5}', 'query is not the text of a GraphQL document'],
    ['with null as the text of a query', '{"query":"null"}', 'query is not the text of a GraphQL document'],
    ['with a syntax tree for a query', JSON.stringify({ query: '{"kind":"Document","definitions":[{"kind":"OperationDefinition"}]}' }), 'query is not the text of a GraphQL document'],
    ['with an object for a query', '{"query":{"kind":"Document"}}', 'body/query must be string'],
    ['with a comment for a query', '{"query":"# nothing"}', 'Syntax Error: Unexpected <EOF>.'],
    ['with a broken query', '{"query":"{ viewer { id "}', 'Syntax Error: Expected Name, found <EOF>.'],
    ['with a field that there is not', '{"query":"{ viewer { nope } }"}', 'Cannot query field "nope" on type "Viewer".'],
    ['without a variable that it needs', '{"query":"query($id: ID!) { audit(id: $id) { id } }"}', 'Variable "$id" of required type "ID!" was not provided.'],
    ['with a list of variables', '{"query":"{ viewer { id } }","variables":[]}', 'body/variables must be object,null'],
    ['of an operation that it lacks', '{"query":"query A { viewer { id } }","operationName":"B"}', 'Unknown operation named "B".'],
    ['with fragments in a circle', '{"query":"{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }"}', 'Cannot spread fragment "A" within itself via "B".'],
    ['for a subscription', '{"query":"subscription { nope }"}', 'Cannot query field "nope" on type "Subscription".'],
    ['in a batch', '[{"query":"{ viewer { id } }"}]', 'body must be object'],
    ['without a body', '', "Body cannot be empty when content-type is set to 'application/json'"],
    ['that is not JSON', '{"query":', "Body is not valid JSON but content-type is set to 'application/json'"],
    ['that would change prototypes', '{"query":"{ viewer { id } }","variables":{"__proto__":{"a":1}}}', "Body is not valid JSON but content-type is set to 'application/json'"],
  ])('%s is refused', async (_, body, message) => {
    expect(refusal(await post(body))).toEqual({ data: null, code: 'INVALID_INPUT', message: expect.stringContaining(message) });
  }); // prettier-ignore

  it('of another type is refused', async () => {
    expect(refusal(await post('<query/>', 'application/xml'))).toMatchObject({ data: null, code: 'INVALID_INPUT' });
    expect(refusal(await post('{ viewer { id } }', 'text/plain'))).toMatchObject({ data: null, code: 'INVALID_INPUT' });
  });

  it('by GET may ask, and may not change', async () => {
    const get = async (query: string) => {
      const server = request(app.nest.getHttpServer());
      const { body } = await server.get('/graphql').set('x-test-viewer', 'owner').query({ query });
      return body as Body;
    };
    expect(await get('{ viewer { id } }')).toEqual({ data: { viewer: { id: 'owner' } } });
    const before = await rowsOf(app.db);
    expect(refusal(await get('mutation { createProject(input: { slug: "get", name: "Get" }) { id } }'))).toEqual({
      data: null,
      code: 'INVALID_INPUT',
      message: 'Operation cannot be performed via a GET request',
    });
    expect(added(before, await rowsOf(app.db))).toEqual({});
    expect(refusal(await get(''))).toMatchObject({ code: 'INVALID_INPUT', message: 'Unknown query' });
  });

  it('deeper than 16 levels is refused, with fragments and without', async () => {
    const nested = (levels: number): string =>
      levels <= 0 ? 'id' : `audits { edges { node { project { ${nested(levels - 4)} } } } }`;
    const tooDeep = { code: 'LIMIT_EXCEEDED', message: 'The query is nested deeper than 16 levels' };
    const ask = async (query: string) => refusal(await post(JSON.stringify({ query })));
    expect(await ask(`{ projects { edges { node { ${nested(8)} } } } }`)).toMatchObject({ data: { projects: {} } });
    expect(await ask(`{ projects { edges { node { ${nested(16)} } } } }`)).toMatchObject(tooDeep);
    const fragment = `fragment P on Project { ${nested(12)} }`;
    expect(await ask(`{ projects { edges { node { audits { edges { node { project { ...P } } } } } } } } ${fragment}`)).toMatchObject(tooDeep);
    expect(await ask(`{ items(filter: { tags: ${'['.repeat(5_000)}${']'.repeat(5_000)} }) { totalCount } }`)).toMatchObject(tooDeep);
    const literal = `mutation { createProject(input: { slug: "deep", name: "Deep", facts: ${'{a:'.repeat(5_000)}1${'}'.repeat(5_000)} }) { id } }`;
    expect(await ask(literal)).toMatchObject(tooDeep);
  }); // prettier-ignore

  it('of more than 15,000 tokens is refused', async () => {
    const query = `{ ${'viewer { id } '.repeat(5_000)} }`;
    expect(refusal(await post(JSON.stringify({ query })))).toEqual({
      data: null,
      code: 'LIMIT_EXCEEDED',
      message: 'The query has more than 15000 tokens',
    });
  });

  it('of 100 MB is refused, and the service lives on', async () => {
    const body = `{"query":"{ viewer { id } }","variables":{"a":"${'x'.repeat(100_000_000)}"}}`;
    expect(refusal(await post(body))).toEqual({
      data: null,
      code: 'LIMIT_EXCEEDED',
      message: 'The request body is larger than the limit of the service',
    });
    expect((await app.owner.send('{ viewer { id } }')).data).toEqual({ viewer: { id: 'owner' } });
  });
});

describe('text that no database row can hold', () => {
  const create = (fields: string) => `mutation { createProject(input: { slug: "literal", name: "Name", ${fields} }) { id } }`;
  it.each([
    ['in a literal', create('description: "a\\u0000b"'), 'the text at line 1 of the query contains U+0000, which cannot be stored'],
    ['as it is, in a literal', create('description: "a\0b"'), 'the text at line 1 of the query contains U+0000'],
    ['in a literal of JSON', create('facts: { env: { A: ["\\u0000"] } }'), 'the text at line 1 of the query contains U+0000'],
    ['in a block of text', create('description: """\na\0b"""'), 'the text at line 1 of the query contains U+0000'],
    ['as half a surrogate pair in a literal', create('description: "a\\ud800b"'), 'Invalid Unicode escape sequence: "\\ud800"'],
    ['as a raw half of a pair in a literal', create('description: "a\udc00b"'), 'Invalid character'],
    ['in an id', '{ audit(id: "\\u0000") { id } }', 'the text at line 1 of the query contains U+0000'],
    ['in a query', '{\n search(query: "\\u0000") { totalCount } }', 'the text at line 2 of the query contains U+0000'],
  ])('is refused %s', async (_, query, message) => {
    const before = await rowsOf(app.db);
    const answer = await app.owner.send(query);
    expect([answer.errorCode, answer.errors[0]?.message]).toEqual(['INVALID_INPUT', expect.stringContaining(message)]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  });
}); // prettier-ignore

describe('an id or name that there is not', () => {
  const QUERY = `query($id: ID!, $name: String!) {
    audit(id: $id) { id } auditItem(id: $id) { id } run(id: $id) { id } trial(id: $id) { id } note(id: $id) { id }
    project(slug: $name) { id } checklist(slug: $name) { slug } item(checklist: $name, key: $name) { id }
  }`;
  const nothing = Object.fromEntries(
    ['audit', 'auditItem', 'run', 'trial', 'note', 'project', 'checklist', 'item'].map((name) => [name, null]),
  );
  it.each([
    ['', ''],
    [' ', ' '],
    ['0', '0'],
    ['not-a-uuid', 'Not A Slug'],
    ['00000000-0000-7000-8000-000000000000', 'no-such-slug'],
    ["' OR '1'='1", '\'; DROP TABLE "User"; --'],
    ['../../etc/passwd', '../..'],
    ['x'.repeat(100_000), '锁'.repeat(100_000)],
    ['🙂', '\u202e\ufeff'],
    [5, 'five'],
    [9_007_199_254_740_991, 'large'],
  ])('is not found: %j', async (id, name) => {
    expect(await app.owner.send(QUERY, { id, name })).toEqual({ data: nothing, errors: [], errorCode: undefined });
  });

  it.each([[1.5], [true], [null], [[]], [{}]])('is refused where it is no id: %j', async (id) => {
    expect((await app.owner.send(QUERY, { id, name: 'x' })).errorCode).toBe('INVALID_INPUT');
  });
});

describe('a request that another site may have sent', () => {
  const mutation = { query: 'mutation { createProject(input: { slug: "foreign", name: "x" }) { id } }' };
  const sent = (headers: Record<string, string>) => {
    const ask = request(app.nest.getHttpServer()).post('/graphql').set('x-test-viewer', 'owner');
    return ask.set(headers).send(mutation);
  };

  it.each([
    ['a foreign name in Host', { host: 'evil.example' }, 'Only this machine is served: the header Host says "evil.example"'],
    ['a foreign name that looks local', { host: '127.0.0.1.evil.example' }, 'Only this machine is served: the header Host says "127.0.0.1.evil.example"'],
    ['a foreign page', { origin: 'http://evil.example' }, 'Only this machine is served: the header Origin says "http://evil.example"'],
    ['a page without a place', { origin: 'null' }, 'Only this machine is served: the header Origin says "null"'],
  ])('is refused for %s, and writes nothing', async (_, headers, message) => {
    const before = await rowsOf(app.db);
    const { status, body } = await sent(headers);
    expect([status, refusal(body as Body)]).toEqual([403, { data: null, code: 'FORBIDDEN', message }]);
    expect(added(before, await rowsOf(app.db))).toEqual({});
  }); // prettier-ignore

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
    'is refused for the content type %s',
    async (type) => {
      const before = await rowsOf(app.db);
      const ask = request(app.nest.getHttpServer()).post('/graphql').set('x-test-viewer', 'owner');
      const { status, body } = await ask.set('content-type', type).send(`query=${encodeURIComponent(mutation.query)}`);
      expect([status, refusal(body as Body).code]).toEqual([415, 'INVALID_INPUT']);
      expect(added(before, await rowsOf(app.db))).toEqual({});
    },
  );

  it('is answered from this machine, by any of its names', async () => {
    const { body } = await sent({ host: 'localhost:3000', origin: 'http://127.0.0.1:5173' });
    expect((body as Body).errors).toBeUndefined();
  });
});

describe('a query with many fields at its root', () => {
  const withAliases = (count: number) =>
    JSON.stringify({
      query: `{ ${Array.from({ length: count }, (_, index) => `a${index}: viewer { id }`).join(' ')} }`,
    });

  it('is answered up to 50 of them, and refused beyond', async () => {
    expect((await post(withAliases(50))).errors).toBeUndefined();
    expect(refusal(await post(withAliases(51)))).toEqual({
      data: null,
      code: 'LIMIT_EXCEEDED',
      message: 'The query asks for 51 fields at its root; at most 50 are answered',
    });
  });
});

describe('a cursor that holds what no cursor holds', () => {
  it.each(['projects', 'notes'])('is refused by %s', async (list) => {
    const { errorCode } = await app.owner.send(`{ ${list}(after: "djE6AA") { totalCount } }`);
    expect(errorCode).toBe('INVALID_INPUT');
  });
});
