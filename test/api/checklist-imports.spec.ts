import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import * as given from '../support/given.js';
import { startApp, type TestApp } from '../support/app.js';
import { added, rowsOf } from '../support/rows.js';

const IMPORT = `mutation($input: ImportChecklistInput!) {
  importChecklist(input: $input) {
    format slug version title { en zh } itemCount bilingualCount isNew undecidedCount
    sections { key title { en } items { key title { en zh } } }
    undecided { line message text } problems { line message }
    checklist { slug version isPrivate itemCount bundle }
  }
}`;

const bread = (changes: Record<string, unknown> = {}) =>
  JSON.stringify({
    format: 'tunebook-checklist/1',
    title: { en: 'Bread of the house', zh: '本店面包' },
    summary: { en: 'What we do before an oven is opened.' },
    sections: [
      {
        key: 'oven',
        title: { zh: '烤箱', en: 'Oven' },
        items: [
          {
            key: 'quixotic-steam',
            title: { en: 'Quixotic steam', zh: '奇特的蒸汽' },
            summary: { en: 'Steam first.' },
            check: { en: 'Look through the window.', zh: '透过窗口看。' },
            settings: ['OVEN_STEAM'],
            effort: 'S',
            applicability: { vendor: 'nvidia' },
            reversible: true,
            sources: [{ title: 'Manual', url: 'https://example.com/manual', checkedAt: '2026-11-01' }],
          },
          { key: 'stone', title: { zh: '石板' }, body: { zh: '先加热。' } },
        ],
      },
    ],
    ...changes,
  });

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Imports as somebody; a name of its own for each test. */
async function imported(viewer: { id: string } | null, input: object) {
  const { data, errors, errorCode } = await app.as(viewer).send(IMPORT, { input: { ...input } });
  return { report: data?.importChecklist, errors, errorCode };
}
const name = () => `list-${randomUUID().slice(0, 13)}`;

async function checklistOf(viewer: { id: string } | null, slug: string) {
  const { data } = await app.as(viewer).send(
    `query($slug: String!) {
       checklist(slug: $slug) {
         version isPrivate bundle
         sections { items {
           key body { en zh } layer effort isReversible reviewBy risk { accuracy } translations { field status }
           applicability(hardware: "h100-sxm") { answer }
         } }
       }
     }`,
    { slug },
  );
  return data.checklist;
}

describe('importing a checklist', () => {
  it('writes a private checklist that its owner alone sees', async () => {
    const [owner, stranger, slug] = [await given.user(app.db), await given.user(app.db), name()];
    const { report, errors } = await imported(owner, { content: bread(), slug });
    expect(errors).toEqual([]);
    expect(report).toMatchObject({
      format: 'BUNDLE', slug, version: '1.0.0', title: { en: 'Bread of the house', zh: '本店面包' },
      itemCount: 2, bilingualCount: 1, isNew: true, undecidedCount: 0, problems: [],
      sections: [{ key: 'oven', items: [{ key: 'oven/quixotic-steam' }, { key: 'oven/stone', title: { en: null, zh: '石板' } }] }],
      checklist: { slug, version: '1.0.0', isPrivate: true, itemCount: 2 },
    }); // prettier-ignore

    const own = await checklistOf(owner, slug);
    expect(own.sections[0].items).toEqual([
      {
        key: 'oven/quixotic-steam',
        body: { en: '## How to check\n\nLook through the window.', zh: '## 如何检查\n\n透过窗口看。' },
        layer: 'unspecified',
        effort: 'S',
        isReversible: true,
        reviewBy: null,
        risk: { accuracy: 'unspecified' },
        translations: [
          { field: 'title', status: 'CURRENT' },
          { field: 'summary', status: 'MISSING' },
          { field: 'check', status: 'CURRENT' },
        ],
        applicability: { answer: 'YES' },
      },
      {
        key: 'oven/stone',
        body: { en: null, zh: '先加热。' },
        layer: 'unspecified',
        effort: 'unspecified',
        isReversible: null,
        reviewBy: null,
        risk: { accuracy: 'unspecified' },
        translations: [
          { field: 'title', status: 'MISSING' },
          { field: 'body', status: 'MISSING' },
        ],
        applicability: { answer: 'YES' },
      },
    ]);
    for (const other of [stranger, null]) {
      expect(await checklistOf(other, slug)).toBeNull();
      const { data } = await app.as(other).send('{ checklists { slug } }');
      expect(data.checklists).not.toContainEqual({ slug });
      const item = await app.as(other).send(`{ item(checklist: "${slug}", key: "oven/stone") { key } }`);
      expect(item.data.item).toBeNull();
      expect((await app.as(other).send(`{ items(checklist: "${slug}") { totalCount } }`)).errorCode).toBe('NOT_FOUND');
    }
    const { data } = await app.as(owner).send('{ checklists { slug isPrivate } }');
    expect(data.checklists.at(-1)).toEqual({ slug, isPrivate: true });
    expect((await app.owner.send('{ checklists { slug } }')).data.checklists).toContainEqual({ slug });
  });

  it('is found by search, by nobody but those who see it', async () => {
    const [owner, stranger, slug] = [await given.user(app.db), await given.user(app.db), name()];
    await imported(owner, { content: bread(), slug });
    const found = async (viewer: { id: string } | null) => {
      const query = `{ search(query: "quixotic steam", filter: { checklist: "${slug}" }) { totalCount edges { node { key } } facets { field values { value } } } }`;
      return (await app.as(viewer).send(query)).data.search;
    };
    expect(await found(owner)).toMatchObject({ totalCount: 1, edges: [{ node: { key: 'oven/quixotic-steam' } }] });
    for (const other of [stranger, null]) {
      const { totalCount, facets } = await found(other);
      expect([totalCount, facets.flatMap(({ values }: { values: unknown[] }) => values)]).toEqual([0, []]);
    }
  });

  it('is for a team whose maintainer imports it', async () => {
    const [maintainer, member, stranger] = [
      await given.user(app.db),
      await given.user(app.db),
      await given.user(app.db),
    ];
    const team = await app.db.team.create({
      data: {
        slug: name(),
        name: 'Bakers',
        members: {
          create: [
            { userId: maintainer.id, role: 'MAINTAINER' },
            { userId: member.id, role: 'CONTRIBUTOR' },
          ],
        },
      },
    });
    const slug = name();
    const input = { content: bread(), slug, team: team.slug };
    expect((await imported(member, input)).errorCode).toBe('FORBIDDEN');
    expect((await imported(stranger, input)).errorCode).toBe('NOT_FOUND');
    expect((await imported(null, input)).errorCode).toBe('UNAUTHENTICATED');
    expect((await imported(maintainer, input)).report).toMatchObject({ isNew: true, slug });
    expect(await checklistOf(member, slug)).toMatchObject({ isPrivate: true });
    expect(await checklistOf(stranger, slug)).toBeNull();
    expect((await imported(maintainer, { content: bread(), slug })).errorCode).toBe('CONFLICT');
  });

  it('makes the next release of changed content, and nothing of equal content', async () => {
    const [owner, slug] = [await given.user(app.db), name()];
    await imported(owner, { content: bread(), slug });
    const rows = await rowsOf(app.db);
    expect((await imported(owner, { content: bread(), slug })).report).toMatchObject({ version: '1.0.0', isNew: false });
    expect(added(rows, await rowsOf(app.db))).toEqual({});
    const changed = bread({ title: { en: 'Better bread' } });
    expect((await imported(owner, { content: changed, slug })).report).toMatchObject({ version: '1.1.0', isNew: true });
    const another = { content: bread({ title: { en: 'Third bread' } }), slug };
    expect((await imported(owner, { ...another, version: '1.1.0' })).errorCode).toBe('CONFLICT');
    expect((await imported(owner, { ...another, version: '1.0.5' })).errorCode).toBe('CONFLICT');
    expect((await imported(owner, { ...another, version: 'next' })).errorCode).toBe('INVALID_INPUT');
    expect((await imported(owner, { ...another, version: '2.0.0' })).report).toMatchObject({ version: '2.0.0' });
    const { data } = await app.as(owner).send(`{ checklist(slug: "${slug}") { releases { version } } }`);
    expect(data.checklist.releases.map(({ version }: { version: string }) => version)).toEqual(['2.0.0', '1.1.0', '1.0.0']);
  }); // prettier-ignore

  it('takes Chinese for stale whose English alone changed, and says what changed', async () => {
    const [owner, slug] = [await given.user(app.db), name()];
    const withTexts = (check: object, body: object) => {
      const items = [{ key: 'stone', title: { en: 'Stone', zh: '石板' }, check, body }];
      return bread({ sections: [{ key: 'oven', title: { en: 'Oven' }, items }] });
    };
    const old = { en: 'Heat it.', zh: '加热。' };
    await imported(owner, { slug, content: withTexts(old, old) });
    await imported(owner, { slug, content: withTexts({ en: 'Heat it twice.', zh: '加热。' }, { en: 'Heat it well.', zh: '充分加热。' }) });
    const { data } = await app.as(owner).send(`{
      item(checklist: "${slug}", key: "oven/stone") { translations { field status } }
      releaseDifference(checklist: "${slug}", from: "1.0.0") { changes { edges { node { changedTexts changedTranslations } } } }
    }`);
    expect(data.item.translations).toEqual([
      { field: 'title', status: 'CURRENT' },
      { field: 'check', status: 'STALE' },
      { field: 'body', status: 'CURRENT' },
    ]);
    const [change] = data.releaseDifference.changes.edges;
    expect(change.node).toEqual({ changedTexts: ['check', 'body'], changedTranslations: ['body'] });
    await imported(owner, { slug, content: withTexts({ en: 'Heat it twice.', zh: '加热两次。' }, old) });
    const again = await app.as(owner).send(`{ item(checklist: "${slug}", key: "oven/stone") { translations { status } } }`);
    expect(again.data.item.translations.map(({ status }: { status: string }) => status)).toEqual(['CURRENT', 'CURRENT', 'CURRENT']);
  }); // prettier-ignore

  it('writes nothing for a dry run, for a file with problems, and for a name that is taken', async () => {
    const owner = await given.user(app.db);
    const rows = await rowsOf(app.db);
    const dry = await imported(owner, { content: bread(), slug: name(), dryRun: true });
    expect(dry.report).toMatchObject({ itemCount: 2, version: '1.0.0', isNew: false, checklist: null });
    const broken = await imported(owner, { content: bread({ sections: [{ key: 'Oven', title: {}, items: [] }] }) });
    expect(broken.report).toMatchObject({ format: null, itemCount: 0, isNew: false });
    expect(broken.report.problems.length).toBeGreaterThan(0);
    for (const slug of ['ai-systems-performance', 'Not a slug']) {
      expect((await imported(owner, { content: bread(), slug })).errors).toHaveLength(1);
    }
    expect(added(rows, await rowsOf(app.db))).toEqual({});
  });

  it('refuses the section whose keys audits give to items of their own, in both languages', async () => {
    const owner = await given.user(app.db);
    const reader = await app.db.user.create({ data: { name: '王芳', locale: 'ZH' } });
    const rows = await rowsOf(app.db);
    const content = bread({ sections: [{ key: 'custom', title: { en: 'Own' }, items: [{ key: 'fan', title: { en: 'Fan' } }] }] }); // prettier-ignore
    const english = await imported(owner, { content });
    const chinese = await imported(reader, { content, dryRun: true });
    expect([english.report.problems, chinese.report.problems]).toEqual([
      [
        {
          line: 1,
          message:
            'sections.0.key: "custom" is kept for the items that an audit adds of its own; give the section another key',
        },
      ],
      [{ line: 1, message: 'sections.0.key：“custom”保留给审计自行添加的条目，请为该章节另取 key' }],
    ]);
    expect(added(rows, await rowsOf(app.db))).toEqual({});
  });

  it('shows nothing of a later private release to those who see an audit or a note of it', async () => {
    const team = await given.project(app.db);
    const slug = name();
    const owner = app.as(team.contributor);
    await imported(team.contributor, { content: bread(), slug });
    const opened = await owner.send(
      `mutation($input: OpenAuditInput!) { openAudit(input: $input) { id items { edges { node { id item { key } } } } } }`,
      { input: { projectId: team.project.id, checklist: slug } },
    );
    await imported(team.contributor, { content: bread({ title: { en: 'Secret bread' } }), slug });
    const auditItemId = opened.data.openAudit.items.edges[0].node.id;
    const note = await owner.send('mutation($input: PublishNoteInput!) { publishNote(input: $input) { id items { key } } }', {
      input: { auditItemId, title: 'Steam', body: 'It rose.', locale: 'EN', outcome: 'HELPED' },
    });
    expect(note.data.publishNote.items).toEqual([{ key: 'oven/quixotic-steam' }]);
    const query = `query($note: ID!, $audit: ID!) {
      note(id: $note) { items { key } }
      audit(id: $audit) { checklist { version releases { version } } }
      search(query: "steam", filter: { kinds: [NOTE], project: "${team.project.slug}" }) { totalCount facets { field values { value } } }
    }`;
    const seen = await app.as(team.viewer).send(query, { note: note.data.publishNote.id, audit: opened.data.openAudit.id });
    expect(seen.data.note.items).toEqual([]);
    expect(seen.data.audit.checklist).toEqual({ version: '1.0.0', releases: [{ version: '1.0.0' }] });
    expect(seen.data.search.totalCount).toBe(1);
    expect(seen.data.search.facets.map(({ field }: { field: string }) => field)).not.toContain('checklist');
    const own = await owner.send(query, { note: note.data.publishNote.id, audit: opened.data.openAudit.id });
    expect(own.data.audit.checklist.releases).toEqual([{ version: '1.1.0' }, { version: '1.0.0' }]);
  }); // prettier-ignore

  it('writes the release that the file names, and no other one', async () => {
    const [owner, slug] = [await given.user(app.db), name()];
    const sent = (release: string, title: string, more: object = {}) =>
      imported(owner, { content: bread({ release, title: { en: title } }), slug, ...more });
    expect((await sent('1.0.0', 'Bread')).report).toMatchObject({ version: '1.0.0', isNew: true });
    expect((await sent('1.1.0', 'Better')).report).toMatchObject({ version: '1.1.0', isNew: true });
    expect((await sent('1.2.0', 'Best')).report).toMatchObject({ version: '1.2.0', isNew: true });
    const rows = await rowsOf(app.db);
    const refusal = async (answer: ReturnType<typeof sent>) => {
      const { errorCode, errors } = await answer;
      return [errorCode, errors[0]?.message];
    };
    for (const more of [{}, { dryRun: true }]) {
      for (const release of ['1.2.0', '1.1.0']) {
        expect(await refusal(sent(release, 'Other', more))).toEqual([
          'CONFLICT',
          `Release ${release} of "${slug}" is published and says something else: raise "release" in the file to 1.3.0 or higher, or give the version 1.3.0`,
        ]);
      }
      expect(await refusal(sent('1.0.5', 'Other', more))).toEqual([
        'CONFLICT',
        `Release 1.0.5 of "${slug}" would come after 1.2.0, which is newer: raise "release" in the file to 1.3.0 or higher, or give the version 1.3.0`,
      ]);
      expect((await sent('1.1.0', 'Better', more)).report).toMatchObject({ version: '1.1.0', isNew: false });
    }
    expect(await refusal(sent('1.3.0', 'Other', { version: '1.2.0' }))).toEqual([
      'CONFLICT',
      `Release 1.2.0 of "${slug}" is published and says something else: give a higher version, such as 1.3.0`,
    ]);
    expect(added(rows, await rowsOf(app.db))).toEqual({});
    expect((await sent('1.2.0', 'Other', { version: '1.3.0' })).report).toMatchObject({
      version: '1.3.0',
      isNew: true,
    });
    expect((await sent('2.0.0', 'Other')).report).toMatchObject({ version: '2.0.0', isNew: true });
  });

  it('says in Chinese which release a changed file can become', async () => {
    const [owner, slug] = [await app.db.user.create({ data: { name: '成员', locale: 'ZH' } }), name()];
    await imported(owner, { content: bread({ release: '1.0.0' }), slug });
    const { errors } = await imported(owner, { content: bread({ release: '1.0.0', title: { zh: '面包' } }), slug });
    expect(errors[0]?.message).toBe(
      `“${slug}”的版本 1.0.0 已发布且内容不同，请将文件中的 release 改为 1.1.0 或更高，或另行指定版本 1.1.0`,
    );
  });

  it('tells versions apart that race', async () => {
    const [owner, slug] = [await given.user(app.db), name()];
    await imported(owner, { content: bread({ release: '1.0.0' }), slug });
    const changed = bread({ release: '1.1.0', title: { en: 'Better' } });
    expect((await imported(owner, { content: changed, slug })).report).toMatchObject({ version: '1.1.0', isNew: true });
    const again = { content: bread({ title: { en: 'Again' } }), slug, clientMutationId: 'again' };
    expect((await imported(owner, again)).report).toMatchObject({ version: '1.2.0', isNew: true });
    await imported(owner, { content: bread({ title: { en: 'Last' } }), slug });
    const { report } = await imported(owner, again);
    expect([report.version, report.checklist.version]).toEqual(['1.2.0', '1.2.0']);
    await Promise.all(
      ['3.10.0', '3.9.0', '3.8.0'].map((version) =>
        imported(owner, { content: bread({ title: { en: version } }), slug, version }),
      ),
    );
    const { data } = await app.as(owner).send(`{ checklist(slug: "${slug}") { version releases { version } } }`);
    expect(data.checklist.version).toBe('3.10.0');
    expect((await imported(owner, { content: bread({ release: '9007199254740992.0.0' }), slug })).errorCode).toBe(
      'INVALID_INPUT',
    );
    for (const version of ['2.0.0-rc.1', '01.0.0', '9', '9007199254740992.0.0']) {
      expect((await imported(owner, { content: changed, slug, version })).errorCode).toBe('INVALID_INPUT');
    }
  });

  it.each([
    ['a character that cannot be stored', { why: { en: 'a\u0000b' } }, /why\.en: contains U\+0000, which cannot be stored/],
    ['a day that is none', { reviewBy: '2026-02-30' }, /reviewBy: a day of the calendar/],
    ['a key that is too long', { key: 'a'.repeat(101) }, /key: Too big/],
  ])('refuses %s with its place', async (_, change, message) => {
    const owner = await given.user(app.db);
    const items = [{ key: 'stone', title: { en: 'Stone' }, ...change }];
    const { report } = await imported(owner, { content: bread({ sections: [{ key: 'oven', title: { en: 'Oven' }, items }] }) });
    expect(report.problems[0].message).toMatch(message);
  }); // prettier-ignore

  it('is done once for one clientMutationId', async () => {
    const owner = await given.user(app.db);
    const input = { content: bread(), slug: name(), clientMutationId: 'bread' };
    const [first, second] = [await imported(owner, input), await imported(owner, input)];
    expect(first.report).toMatchObject({ isNew: true });
    expect(second.report.checklist).toEqual(first.report.checklist);
  });

  it('can be audited', async () => {
    const { project, contributor } = await given.project(app.db);
    const slug = name();
    await imported(contributor, { content: bread(), slug });
    const open = (viewer: { id: string }) =>
      app.as(viewer).send(
        `mutation($input: OpenAuditInput!) {
           openAudit(input: $input) { items { edges { node { item { key title { text } body { text } } } } } }
         }`,
        { input: { projectId: project.id, checklist: slug } },
      );
    const { data } = await open(contributor);
    const keys = data.openAudit.items.edges.map(({ node }: { node: { item: { key: string } } }) => node.item.key);
    expect(keys).toEqual(['oven/quixotic-steam', 'oven/stone']);
  });

  it('reads YAML as well as JSON', async () => {
    const owner = await given.user(app.db);
    const { report } = await imported(owner, { content: stringify(JSON.parse(bread())), dryRun: true });
    expect(report).toMatchObject({ format: 'BUNDLE', itemCount: 2 });
  });

  it('names a checklist after its title or its file', async () => {
    const owner = await given.user(app.db);
    const dry = { content: bread(), dryRun: true };
    expect((await imported(owner, dry)).report.slug).toBe('bread-of-the-house');
    const chinese = bread({ title: { zh: '面包' } });
    expect((await imported(owner, { ...dry, content: chinese, fileName: 'Our Bread.yaml' })).report.slug).toBe(
      'our-bread',
    );
  });
});

describe('importing text', () => {
  it('takes headings and lists of Markdown for sections and items, in both languages', async () => {
    const owner = await given.user(app.db);
    const content = readFileSync(join(import.meta.dirname, '../../examples/checklists/gpu-node-acceptance.md'), 'utf8');
    const { report } = await imported(owner, { content, fileName: 'gpu-node-acceptance.md', slug: name() });
    expect(report).toMatchObject({
      format: 'MARKDOWN', title: { en: 'GPU node acceptance', zh: 'GPU 节点验收' }, itemCount: 4, bilingualCount: 4, isNew: true,
    }); // prettier-ignore
    expect(report.sections.map(({ key, title }: { key: string; title: object }) => [key, title])).toEqual([
      ['hardware', { en: 'Hardware' }],
      ['network', { en: 'Network' }],
    ]);
    expect(report.sections[1].items[0]).toMatchObject({ title: { en: 'All links at full rate', zh: '链路全速' } });
    const { data } = await app
      .as(owner)
      .send(`{ item(checklist: "${report.slug}", key: "${report.sections[1].items[0].key}") { body { en } } }`);
    expect(data.item.body.en).toContain('`ibstat` says 400');
  });

  it('takes English passages with their Chinese translation apart', async () => {
    const owner = await given.user(app.db);
    const content = [
      'Bread checklist (2 items)面包检查清单（2 项）',
      '面粉\n\nFlour',
      'Good bread starts with flour that was weighed, and not with flour that was guessed by the spoon.好面包从称好的面粉开始，而不是用勺子估出来的面粉。',
      'Weigh the flour称面粉',
      'Put the bowl on the scale and set it to zero before any flour goes in, every time.每次放面粉之前，先把碗放在秤上并归零。',
      'Sift it twice过筛两次',
      'Lumps that remain after the first pass are broken by the second one, which takes a minute.第一遍剩下的结块会在第二遍散开，只要一分钟。',
    ].join('\n\n');
    const { report } = await imported(owner, { content, dryRun: true });
    expect(report).toMatchObject({ format: 'BILINGUAL_TEXT', itemCount: 2, bilingualCount: 2 });
    expect(report.sections).toMatchObject([
      {
        title: { en: 'Flour' },
        items: [
          { key: 'flour/weigh-the-flour', title: { en: 'Weigh the flour', zh: '称面粉' } },
          { key: 'flour/sift-it-twice', title: { en: 'Sift it twice', zh: '过筛两次' } },
        ],
      },
    ]);
  });

  it('refuses more than can be read', async () => {
    const owner = await given.user(app.db);
    const many = `# Many\n\n## One\n\n${Array.from({ length: 1_001 }, (_, index) => `- item ${index}`).join('\n')}`;
    const { report } = await imported(owner, { content: many });
    expect(report.problems).toEqual([
      { line: null, message: '1 sections and 1001 items are too many: at most 100 and 1000' },
    ]);
    const long = await imported(owner, { content: `# Long\n\n- ${'a'.repeat(1024 * 1024)}` });
    expect(long.report.problems).toEqual([{ line: null, message: 'The content is larger than 1 MiB' }]);
  });
});

describe('a bundle', () => {
  it.each(['ai-systems-performance', 'application-level'])(
    'of the shipped checklist %s is read again without loss',
    async (slug) => {
      const owner = await given.user(app.db);
      const shipped = await checklistOf(null, slug);
      const copy = name();
      const { report, errors } = await imported(owner, { content: shipped.bundle, slug: copy });
      expect(errors).toEqual([]);
      expect(report).toMatchObject({ problems: [], undecidedCount: 0, isNew: true, version: shipped.version });
      const written = await checklistOf(owner, copy);
      expect(parse(written.bundle)).toEqual({ ...parse(shipped.bundle), slug: copy });
      expect(written.bundle).toBe(shipped.bundle.replace(`slug: ${slug}\n`, `slug: ${copy}\n`));
    },
  );

  it('of a private checklist is read again without loss', async () => {
    const [owner, slug] = [await given.user(app.db), name()];
    await imported(owner, { content: bread(), slug });
    const { bundle } = await checklistOf(owner, slug);
    expect(parse(bundle)).toEqual({ ...JSON.parse(bread()), slug, release: '1.0.0' });
    expect((await imported(owner, { content: bundle })).report).toMatchObject({ isNew: false, slug, version: '1.0.0' });
  });
});
