import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportedChecklist } from './imported.js';
import { readBilingualText } from './read-bilingual-text.js';

const fixtures = join(import.meta.dirname, '../../../../test/fixtures/checklists');

function read(text: string): ImportedChecklist {
  const result = readBilingualText(text);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.checklist;
}

describe('a text whose passages are followed by their translation', () => {
  const { bundle, undecided } = read(readFileSync(join(fixtures, 'page-breaks.txt'), 'utf8'));
  const [storage, drivers] = bundle.sections;

  it('has the introduction as its summary', () => {
    expect(bundle.title).toEqual({ en: 'Cluster Start Checklist', zh: '集群启动清单' });
    expect(bundle.summary).toEqual({
      en: 'Walk through this list before the first job of a new cluster. It takes one afternoon.',
      zh: '在新集群运行第一个任务之前，请逐项检查本清单。大约需要一个下午。',
    });
  });

  it('has a section for each pair of heading lines', () => {
    expect(bundle.sections.map(({ key, title, items }) => [key, title.en, title.zh, items.length])).toEqual([
      ['storage-preparation', 'Storage Preparation', '存储准备', 2],
      ['gpus-and-drivers', 'GPUs and Drivers', 'GPU 与驱动', 2],
    ]);
    expect(storage?.summary).toEqual({
      en: 'Slow storage shows up as idle devices. Check it first.',
      zh: '存储慢会表现为设备空闲。请先检查存储。',
    });
  });

  it('joins what a page break cut, without the line at the foot of the page', () => {
    expect(storage?.items[0]).toEqual({
      key: 'measure-the-read-rate',
      title: { en: 'Measure the read rate', zh: '测量读取速率' },
      body: {
        en:
          'Read one shard with every worker at once and note the sum. The sum must exceed what the loader asks for. ' +
          'A cold cache gives the honest number.',
        zh: '用所有工作进程同时读取一个分片，并记录总和。总和必须超过加载器的需求。冷缓存给出的才是真实数字。',
      },
    });
  });

  it('puts a name together that a page break cut, in both languages', () => {
    expect(drivers?.items[1]?.body).toEqual({
      en: 'Before the first import, set torch_allocator_settings.expandable_segments("on") to avoid holes in memory. Measure again.',
      zh: '在首次导入之前，设置 torch_allocator_settings.expandable_segments("on") 以避免内存碎片。然后重新测量。',
    });
  });

  it('finds the boundary where the Chinese begins with a Latin word', () => {
    expect(drivers?.items[0]).toEqual({
      key: 'drivers-for-mig',
      title: { en: 'Drivers for MIG', zh: 'MIG 的驱动' },
      body: {
        en: 'The driver must know the slices before PyTorch starts. Test it with one small model in PyTorch.',
        zh: 'PyTorch 启动之前，驱动必须已识别切片。请用一个小模型测试。',
      },
    });
  });

  it('reports what is left out and what is not sure', () => {
    expect(undecided.map(({ line, text, message }) => [line, text, message.en])).toEqual([
      [1, 'Team handbook 4', 'Left out as a page header, footer or number'],
      [19, 'Team handbook 5', 'Left out as a page header, footer or number'],
      [23, 'Local cache settingsNVMe 本地缓存设置', 'It is not sure where the English ends and the Chinese begins'],
      [43, 'Team handbook 6', 'Left out as a page header, footer or number'],
      [45, '后记 Afterword', 'Belongs to no section with items; not imported'],
      [49, 'Send us what you found.请把你的发现告诉我们。', 'Belongs to no section with items; not imported'],
    ]);
  });
});

it('reads items without sections', () => {
  const { bundle } = read(
    'Check the fans检查风扇\n\nListen to them.听风扇的声音。\n\nCheck the cables检查线缆\n\nPull them once.逐根拉一下。\n',
  );
  expect(bundle.sections.map(({ items }) => items.map(({ key }) => key))).toEqual([['check-the-cables']]);
  expect(bundle.title).toEqual({ en: 'Check the fans', zh: '检查风扇' });
});

it('reports a text that ends in the middle of a sentence', () => {
  const { undecided } = read('节\n\nSection\n\nCheck fans检查风扇\n\nListen to them. Then go听风扇的声音。然后\n');
  expect(undecided.map(({ line, message }) => [line, message.en])).toEqual([
    [7, 'The text ends in the middle of a sentence'],
  ]);
});

const outline = ({ bundle }: ImportedChecklist) =>
  bundle.sections.map(({ title, items }) => [title.en, title.zh, ...items.map((item) => [item.title.en, item.title.zh])]);

describe('a text whose languages take turns', () => {
  const fixture = (name: string) => read(readFileSync(join(fixtures, name), 'utf8'));

  it('by paragraphs has a title, sections and items, each a pair in either order', () => {
    const checklist = fixture('turns-of-paragraphs.txt');
    expect(checklist.bundle.title).toEqual({ en: 'Serving Readiness List', zh: '推理服务上线清单' });
    expect(checklist.bundle.summary).toEqual({
      en: 'Go through this list on the day before a launch. It takes two people.',
      zh: '在上线前一天过一遍本清单。需要两个人。',
    });
    expect(outline(checklist)).toEqual([
      ['Memory', '显存', ['Size the KV cache', '估算 KV 缓存'], ['Warm the cache', '缓存预热']],
      ['Traffic', '流量', ['Limit the queue', '限制队列']],
    ]);
    expect(checklist.undecided).toEqual([]);
  });

  it('by paragraphs keeps paragraphs apart, puts wrapped lines together and keeps lists', () => {
    const [memory, traffic] = fixture('turns-of-paragraphs.txt').bundle.sections;
    expect(memory?.items[0]?.body).toEqual({
      en: 'Count the longest prompt and the largest batch. Leave a tenth of the memory free for the allocator.\n\nWrite down what you found.',
      zh: '按最长的提示词和最大的批次计算。给分配器留出一成显存。\n\n记录结果。',
    });
    expect(traffic?.items[0]?.body).toEqual({
      en: 'Refuse requests that would wait for longer than a second:\n\n- count them\n- return a clear error',
      zh: '拒绝等待会超过一秒的请求：\n- 统计数量\n- 返回明确的错误',
    });
  });

  it('by lines and without headings has one section that is named as the checklist', () => {
    const checklist = fixture('turns-of-lines.txt');
    expect(checklist.bundle.title).toEqual({ en: 'Night shift list', zh: '夜班清单' });
    expect(outline(checklist)).toEqual([
      ['Night shift list', '夜班清单', ['Watch the loss curve', '观察损失曲线'], ['Rotate the logs', '轮转日志']],
    ]);
    expect(checklist.bundle.sections[0]?.items[1]?.body).toEqual({
      en: 'Old logs fill the disk.',
      zh: '旧日志会占满磁盘。',
    });
    expect(checklist.undecided).toEqual([]);
  });

  it('may have each Chinese line above the English one', () => {
    const checklist = read('清单\nList\n显存\nMemory\n预热缓存\nWarm the cache\n先发请求。\nSend requests first.\n');
    expect(checklist.bundle.title).toEqual({ en: 'List', zh: '清单' });
    expect(outline(checklist)).toEqual([['Memory', '显存', ['Warm the cache', '预热缓存']]]);
  });

  it('keeps a Chinese line whole that begins with a name', () => {
    const { bundle } = read('List\n清单\nWarm the cache\nvLLM 缓存预热\nUse Docker first.\nDocker 先启动。\n');
    expect(bundle.sections[0]?.items[0]).toEqual({
      key: 'warm-the-cache',
      title: { en: 'Warm the cache', zh: 'vLLM 缓存预热' },
      body: { en: 'Use Docker first.', zh: 'Docker 先启动。' },
    });
  });

  it('says that the title is a guess where it may be an item', () => {
    const { undecided } = read('Warm up\n预热\nDo it twice.\n做两次。\nCool down\n降温\nWait an hour.\n等一小时。\n');
    expect(undecided.map(({ line, message }) => [line, message.en])).toEqual([
      [1, 'The first pair was taken as the title of the checklist; it may be an item'],
    ]);
  });
});

describe('numbered passages', () => {
  it('are items, without their numbers and in both languages, also as whole sentences', () => {
    const { bundle, undecided } = read(readFileSync(join(fixtures, 'numbered-passages.txt'), 'utf8'));
    expect(bundle.title).toEqual({ en: 'Gateway list', zh: '网关清单' });
    expect(bundle.sections.map(({ title, items }) => [title.zh, items.map(({ title, body }) => [title, body])])).toEqual([
      [
        '接流量之前',
        [
          [
            { en: 'Load the model first', zh: '先加载模型' },
            {
              en: 'Requests that come early wait for minutes. See step 1 again after a restart.',
              zh: '过早到达的请求会等待几分钟，二次重启后请再看一遍。',
            },
          ],
          [
            { en: 'Close idle connections', zh: '关闭空闲连接' },
            { en: 'Each of them holds a buffer.', zh: '每个连接都占用一块缓冲区。' },
          ],
        ],
      ],
      [
        '接流量之后',
        [
          [
            { en: 'Compare the token rate', zh: '比较 token 速率' },
            { en: 'It must be that of the last release.', zh: '应与上一版本一致。' },
          ],
          [{ en: 'Keep the old image for a day', zh: '旧镜像保留一天' }, undefined],
        ],
      ],
    ]);
    expect(undecided).toEqual([]);
  });

  it('of two levels are sections and items', () => {
    const text = '1. Disks\n一、磁盘\n1.1 Read one shard\n1.1 读取一个分片\nNote the rate.\n记录速率。\n';
    expect(outline(read(text))).toEqual([['Disks', '磁盘', ['Read one shard', '读取一个分片']]]);
  });

  it('may have the text of each language below its title', () => {
    const text = '1. Load it first\nTraffic waits.\n\n一、先加载\n流量会等待。\n\n2. Warm it\nSend ten.\n\n二、预热\n发十个。\n';
    const { bundle } = read(text);
    expect(bundle.sections[0]?.items.map(({ title, body }) => [title.zh, body])).toEqual([
      ['先加载', { en: 'Traffic waits.', zh: '流量会等待。' }],
      ['预热', { en: 'Send ten.', zh: '发十个。' }],
    ]);
  });
});

it('has the first two titles on one line as those of the checklist and its section', () => {
  const checklist = read(
    'Serving list 推理清单\n\nStorage 存储\n\nLimit the batch 限制批大小\n\nLarge ones wait. 大批次会等待。\n\n' +
      'Check NCCL 检查 NCCL\n\nRead the logs. 查看日志。\n',
  );
  expect(checklist.bundle.title).toEqual({ en: 'Serving list', zh: '推理清单' });
  expect(outline(checklist)).toEqual([
    ['Storage', '存储', ['Limit the batch', '限制批大小'], ['Check NCCL', '检查 NCCL']],
  ]);
  expect(checklist.undecided).toEqual([]);
});
