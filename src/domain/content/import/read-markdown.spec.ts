import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleItem } from '../bundle.js';
import type { ImportedChecklist } from './imported.js';
import { readMarkdown } from './read-markdown.js';

const fixtures = join(import.meta.dirname, '../../../../test/fixtures/checklists');
const fixture = (name: string) => readFileSync(join(fixtures, name), 'utf8');

function read(text: string): ImportedChecklist {
  const result = readMarkdown(text, 'my-list.md');
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.checklist;
}

const itemsOf = (text: string): BundleItem[] => read(text).bundle.sections.flatMap(({ items }) => items);
const titles = (text: string) => itemsOf(text).map(({ title }) => title.en ?? title.zh);

describe('a Markdown checklist', () => {
  const { bundle, undecided } = read(fixture('sections-and-tables.md'));
  const item = (key: string) => bundle.sections.flatMap(({ items }) => items).find((one) => one.key === key);

  it('has the first heading as its title and the text below as its summary, in both languages', () => {
    expect(bundle.title).toEqual({ en: 'Serving checklist', zh: '推理服务清单' });
    expect(bundle.summary).toEqual({
      en: 'What we look at before a model goes live.',
      zh: '模型上线之前要检查的内容。',
    });
  });

  it('has sections without their numbers', () => {
    expect(bundle.sections.map(({ key, title }) => [key, title.en, title.zh])).toEqual([
      ['memory', 'Memory', undefined],
      ['latency', 'Latency', '时延'],
      ['rollout', 'Rollout', undefined],
    ]);
    expect(bundle.sections[0]?.summary).toEqual({ en: 'Most surprises come from memory.' });
  });

  it('has an item for each list item, with nested lists and code in its body', () => {
    expect(bundle.sections[0]?.items.map(({ key }) => key)).toEqual(['kv-cache', 'weights', 'fragmentation']);
    expect(item('kv-cache')?.body?.en).toBe('reserve room for the longest prompt.\n- count the layers\n- count the heads');
    expect(item('weights')?.body?.en).toContain('- not an item');
    expect(item('fragmentation')).toEqual({ key: 'fragmentation', title: { en: 'Fragmentation' } });
  });

  it('has an item for each row of a table, also where a row was broken', () => {
    expect(bundle.sections[1]?.items.map(({ title, body }) => [title.en, body?.en])).toEqual([
      ['Warm start', '**Gain**: 3 s\n\n**Notes**: Load before traffic'],
      ['Pinned pool | arena', '**Notes**: No page faults'],
      ['Short queue', '**Gain**: 10 ms\n\n**Notes**: Drop late requests'],
      ['Bucketed shapes', '**Gain**: 5%\n\n**Notes**: Fewer graphs'],
    ]);
  });

  it('has an item for each heading of the third level, with all below it as the body', () => {
    expect(bundle.sections[2]?.items).toEqual([
      {
        key: 'canary',
        title: { en: 'Canary', zh: '金丝雀发布' },
        body: { en: 'Send one percent first.\n\n#### Steps\n\n1. Pick a host.', zh: '先放行百分之一的流量。' },
      },
      { key: 'rollback', title: { en: 'Rollback' }, body: { en: 'Keep the old image.' } },
    ]);
  });

  it('leaves nothing open', () => {
    expect(undecided).toEqual([]);
  });
});

describe('a text that has lost its marks', () => {
  const { bundle, undecided } = read(fixture('lost-marks.txt'));

  it('has its numbered lines as headings', () => {
    expect(bundle.title).toEqual({ en: 'Fabric Checks: Racks' });
    expect(bundle.sections.map(({ key }) => key)).toEqual(['cables', 'routes']);
  });

  it('has list items that ran together taken apart, and what follows the list as items', () => {
    expect(bundle.sections[0]?.items.map(({ title, body }) => [title.en, body?.en])).toEqual([
      ['Link counters (ibq)', 'errors since boot.'],
      ['Optics', 'temperature and power.'],
      ['Firmware of every switch', undefined],
      ['Port map kept in the repository (Section 3)', undefined],
      ['Read the counters of a host', 'ibq --all \\\n--since=boot'],
      [
        'Counters may need the group netadmin on the host',
        '(Counters may need the group netadmin on the host, set by the image, or the root account.)',
      ],
    ]);
  });

  it('says what it did', () => {
    expect(undecided.map(({ line, message }) => [line, message.en])).toEqual([
      [4, '3 list items run together were taken apart'],
      [7, 'A paragraph after the list became an item'],
      [10, 'A paragraph after the list became an item'],
    ]);
  });
});

describe('lists', () => {
  it('may stand alone: the name of the file is the title', () => {
    const { bundle } = read('- First\n- Second\n');
    expect(bundle.title).toEqual({ en: 'my list' });
    expect(bundle.sections.map(({ key, items }) => [key, items.length])).toEqual([['my-list', 2]]);
  });

  it.each(['- One\n- Two', '* One\n* Two', '1. One\n2. Two', '- [ ] One\n- [x] Two', '  - One\n  - Two', '- One\n\n- Two'])(
    'are read with each kind of mark: %j',
    (text) => expect(titles(text)).toEqual(['One', 'Two']),
  );

  it('are not split at a dash inside a sentence', () => {
    expect(titles('# T\n- Warm up - the first request is slow\n- B')).toEqual(['Warm up - the first request is slow', 'B']);
  });

  it('take a wrapped line as part of the item', () => {
    expect(itemsOf('# T\n- Pin the threads that\n  load the data\n- B')[0]).toEqual({
      key: 'pin-the-threads-that-load-the-data',
      title: { en: 'Pin the threads that load the data' },
    });
  });

  it('keep a paragraph that follows them with the last item, and report it', () => {
    const { bundle, undecided } = read('# T\n## S\n- A\n\nThese go together well.\n');
    expect(bundle.sections[0]?.items).toEqual([{ key: 'a', title: { en: 'A' }, body: { en: 'These go together well.' } }]);
    expect(undecided.map(({ line, message }) => [line, message.en])).toEqual([
      [5, 'A paragraph after the list was added to the item before it'],
    ]);
  });
});

describe('lists with translations', () => {
  const parts = (text: string) => itemsOf(text).map(({ title, body }) => [title.en, title.zh, body]);

  it('join each item with the next one where the languages take turns throughout', () => {
    const text = '# T\n- Pin the threads\n- 绑定线程\n- Warm up: send ten.\n- GPU 预热：发十个。\n';
    expect(parts(text)).toEqual([
      ['Pin the threads', '绑定线程', undefined],
      ['Warm up', 'GPU 预热', { en: 'send ten.', zh: '发十个。' }],
    ]);
    expect(read(text).undecided).toEqual([]);
  });

  it('stay as they are where the turns break, which is reported', () => {
    const text = '# T\n- One thing\n- 一件事\n- Two things\n- Three things\n- 三件事\n';
    expect(titles(text)).toEqual(['One thing', '一件事', 'Two things', 'Three things', '三件事']);
    expect(read(text).undecided.map(({ line, message }) => [line, message.en])).toEqual([
      [4, 'English and Chinese items do not take turns here; all are kept apart'],
    ]);
  });

  it('puts both languages of a list item into their places where a slash is between them', () => {
    const text = '# T\n- Warm up: twice. / 预热：两次。\n- 固定线程：按核。 / Pin threads: by core.\n- Watch the clocks / 观察频率变化\n- tokens / 秒\n'; // prettier-ignore
    expect(itemsOf(text).map(({ title, body }) => [title.en, title.zh, body])).toEqual([
      ['Warm up', '预热', { en: 'twice.', zh: '两次。' }],
      ['Pin threads', '固定线程', { en: 'by core.', zh: '按核。' }],
      ['Watch the clocks', '观察频率变化', undefined],
      ['tokens', '秒', undefined],
    ]);
  });

  it('take a Chinese line below each item as its translation', () => {
    expect(parts('# T\n- Pin the threads\n  绑定线程\n- Warm up\n  - 预热\n')).toEqual([
      ['Pin the threads', '绑定线程', undefined],
      ['Warm up', '预热', undefined],
    ]);
  });

  it('take both languages of one line apart', () => {
    expect(parts('1. Load it first. 先加载。\n2. Limit the batch 限制批大小\n')).toEqual([
      ['Load it first', '先加载', undefined],
      ['Limit the batch', '限制批大小', undefined],
    ]);
  });
});

describe('tables in two languages', () => {
  const rows = (text: string) => itemsOf(`# T\n## S\n${text}`).map(({ title, body }) => [title, body]);

  it('have the column with the Chinese of the title as the Chinese title', () => {
    expect(rows('| Check | 项目 | Limit |\n|---|---|---|\n| Batch size | 批大小 | 32 |\n| Queue | 队列 | Keep it short |\n')).toEqual(
      [
        [
          { en: 'Batch size', zh: '批大小' },
          { en: '**Limit**: 32', zh: '**Limit**: 32' },
        ],
        [{ en: 'Queue', zh: '队列' }, { en: '**Limit**: Keep it short' }],
      ],
    );
  });

  it('have the English title where the Chinese one is first', () => {
    expect(rows('| 检查 | Check | 说明 |\n|---|---|---|\n| 批大小 | Batch size | 不超过 32 |\n')).toEqual([
      [{ en: 'Batch size', zh: '批大小' }, { zh: '**说明**: 不超过 32' }],
    ]);
  });

  it('keep a Chinese column that is no title in the body', () => {
    expect(rows('| Check | 说明 |\n|---|---|\n| Batch size | 不宜过大 |\n')).toEqual([
      [{ en: 'Batch size' }, { zh: '**说明**: 不宜过大' }],
    ]);
  });

  it('are English under a header in both languages if their rows are, and the rest of the header is reported', () => {
    const table = '| 检查 / Check | 限制 / Limit |\n|---|---|\n| Batch size | 32 |\n';
    expect(rows(table)).toEqual([[{ en: 'Batch size' }, { en: '**Limit**: 32' }]]);
    expect(read(`# T\n## S\n${table}`).undecided.map(({ line, message }) => [line, message.en])).toEqual([
      [3, 'The Chinese of this header is left out: the rows are English'],
    ]);
  });
});

describe('languages', () => {
  it('are told apart by lines in a body, with lists, headings and code in both', () => {
    const [item] = itemsOf(
      '# T\n## S\n### A\nRun it.\n运行它。\n\n#### Steps / 步骤\n\n- Pick a host\n- Watch it\n\n```sh\nrun # 运行\n```\n\n' +
        '- 选主机\n- 观察\n\n#### Later\n\nWait for it.\n\n等待。\n',
    );
    expect(item?.body).toEqual({
      en: 'Run it.\n\n#### Steps\n\n- Pick a host\n- Watch it\n\n```sh\nrun # 运行\n```\n\n#### Later\n\nWait for it.',
      zh: '运行它。\n\n#### 步骤\n\n```sh\nrun # 运行\n```\n\n- 选主机\n- 观察\n\n#### Later\n\n等待。',
    });
  });

  it.each([
    ['What we check before a rollout. / 上线前检查。', 'What we check before a rollout.', '上线前检查。'],
    ['What we check before a rollout / 上线前的检查', 'What we check before a rollout', '上线前的检查'],
    ['上线前检查 GPU。 / What we check before a rollout.', 'What we check before a rollout.', '上线前检查 GPU。'],
    ['Check read / write paths. / 检查 read / write 路径。', 'Check read / write paths.', '检查 read / write 路径。'],
    ['What we check. / GPU 上线前检查。', 'What we check.', 'GPU 上线前检查。'],
    ['吞吐以 tokens / s 计。', undefined, '吞吐以 tokens / s 计。'],
    ['Throughput is in tokens / 秒', undefined, 'Throughput is in tokens / 秒'],
    ['NVLink / NVSwitch 拓扑检查。', undefined, 'NVLink / NVSwitch 拓扑检查。'],
    ['One thing. / 一件事。 Two things. / 两件事。', undefined, 'One thing. / 一件事。 Two things. / 两件事。'],
  ])('are told apart at a slash of the text below a title: %j', (text, en, zh) => {
    const { bundle } = read(`# Rollout / 上线\n\n${text}\n\n## Hosts / 主机\n\n${text}\n\n- One\n`);
    const summary = { ...(en === undefined ? {} : { en }), zh };
    expect([bundle.summary, bundle.sections[0]?.summary]).toEqual([summary, summary]);
  });

  it('are not taken apart in a Chinese document whose headings begin with names', () => {
    const { bundle } = read('# 集群\n## Docker 配置\n- 内存\n## 网络\n- 网卡\n');
    expect(bundle.sections.map(({ title }) => title)).toEqual([{ zh: 'Docker 配置' }, { zh: '网络' }]);
  });

  it('share the code of a body', () => {
    const [item] = itemsOf('# T\n## S\n### A\nRun it.\n\n运行命令。\n\n```sh\nrun\n```\n');
    expect(item?.body).toEqual({ en: 'Run it.\n\n```sh\nrun\n```', zh: '运行命令。\n\n```sh\nrun\n```' });
  });

  it('give code to Chinese alone where nothing is English', () => {
    const [item] = itemsOf('# 标题\n## 节\n### 甲\n```sh\nrun\n```\n');
    expect(item).toEqual({ key: item?.key, title: { zh: '甲' }, body: { zh: '```sh\nrun\n```' } });
  });
});

it('keeps a section without items and reports it', () => {
  const { bundle, undecided } = read('# T\n## A\n- One\n## Notes\nSee the wiki.\n');
  expect(bundle.sections[1]).toEqual({ key: 'notes', title: { en: 'Notes' }, summary: { en: 'See the wiki.' }, items: [] });
  expect(undecided.map(({ line, text }) => [line, text])).toEqual([[4, 'Notes']]);
});

it('takes headings inside code for code', () => {
  expect(titles('# T\n## S\n- A\n\n```\n## not a section\n```\n')).toEqual(['A']);
});

it('refuses a text without items', () => {
  const result = readMarkdown('# T\nJust text.\n');
  expect('problems' in result && result.problems.map(({ message }) => message.en)).toEqual([
    'No item was found: items are list items, rows of tables, or headings of the third level',
  ]);
});
