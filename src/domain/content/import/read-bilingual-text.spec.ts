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
