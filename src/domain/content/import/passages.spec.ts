import { describe, expect, it } from '@jest/globals';
import { passagesOf, splitPassage, switchesLanguage, typesettingOf } from './passages.js';

const glued = { isSpaced: true, isGlued: true };
const apart = { isSpaced: true, isGlued: false };
const tight = { isSpaced: false, isGlued: true };

describe('the boundary between English and Chinese', () => {
  it.each([
    ['Pin the loader threads绑定加载线程', 'Pin the loader threads', '绑定加载线程'],
    ['Use the pool in PyTorch.PyTorch 中的内存池', 'Use the pool in PyTorch.', 'PyTorch 中的内存池'],
    ['Settings of the GPUGPU 的设置', 'Settings of the GPU', 'GPU 的设置'],
    ['NIC queue lengthsNIC 队列长度', 'NIC queue lengths', 'NIC 队列长度'],
    ['Call torch.compile.torch.compile 可以融合算子', 'Call torch.compile.', 'torch.compile 可以融合算子'],
    ['It needs version 12.4.CUDA 12.4 起支持', 'It needs version 12.4.', 'CUDA 12.4 起支持'],
    ['Keep it warm.“热”数据留在显存', 'Keep it warm.', '“热”数据留在显存'],
    ['Set X_LIMIT=0 first.X_LIMIT=0。然后重启', 'Set X_LIMIT=0 first.', 'X_LIMIT=0。然后重启'],
    ['Baseboard controller (BMC)基板控制器（BMC）', 'Baseboard controller (BMC)', '基板控制器（BMC）'],
  ])('splits "%s"', (text, en, zh) => {
    expect(splitPassage(text, glued)).toEqual({ en, zh, isSure: true });
  });

  it('keeps a Chinese text that begins with a Latin word whole', () => {
    expect(splitPassage('BMC 固件与日志', glued)).toEqual({ en: '', zh: 'BMC 固件与日志', isSure: true });
  });

  it('splits at a blank where the text is set so', () => {
    expect(splitPassage('Read it twice. 请读两遍。', apart)).toEqual({ en: 'Read it twice.', zh: '请读两遍。', isSure: true });
  });

  it.each([
    ['Limit the batch 限制批大小', 'Limit the batch', '限制批大小'],
    ['Warm the GPU cache 预热 GPU 缓存', 'Warm the GPU cache', '预热 GPU 缓存'],
    ['Check NCCL 检查 NCCL', 'Check NCCL', '检查 NCCL'],
    ['Storage 存储', 'Storage', '存储'],
    ['Large batches wait. Keep them small. 请保持较小。', 'Large batches wait. Keep them small.', '请保持较小。'],
  ])('is sure of the only one in "%s"', (text, en, zh) => {
    expect(splitPassage(text, apart)).toEqual({ en, zh, isSure: true });
  });

  it('is not sure where a name may belong to either language', () => {
    expect(splitPassage('Warm up GPU 预热', apart).isSure).toBe(false);
  });

  it('finds the Latin beginning where Chinese and Latin are not kept apart', () => {
    expect(splitPassage('NIC queue lengthsNIC队列长度', tight)).toEqual({
      en: 'NIC queue lengths',
      zh: 'NIC队列长度',
      isSure: true,
    });
  });

  it('says that it is not sure where nothing decides', () => {
    expect(splitPassage('Local cache settingsNVMe 本地缓存设置', glued)).toEqual({
      en: 'Local cache settings',
      zh: 'NVMe 本地缓存设置',
      isSure: false,
    });
  });

  it('takes several passages of one line apart', () => {
    const line = 'Read it twice.请读两遍。Then write down what the numbers have told you.然后记录 GPU 的数字。';
    expect(passagesOf(line, glued).map(({ en, zh }) => [en, zh])).toEqual([
      ['Read it twice.', '请读两遍。'],
      ['Then write down what the numbers have told you.', '然后记录 GPU 的数字。'],
    ]);
  });
});

it('finds out how a text is set', () => {
  expect(typesettingOf('Pin the loader threads now.绑定 GPU 线程\n')).toEqual({ isSpaced: true, isGlued: true });
  expect(typesettingOf('Pin the loader threads now. 绑定GPU线程\n')).toEqual({ isSpaced: false, isGlued: false });
});

it('tells a passage in two languages from Chinese with Latin words', () => {
  expect(switchesLanguage('Read one shard with every worker.用所有进程读取')).toBe(true);
  expect(switchesLanguage('用 NVIDIA Nsight Systems 读取 timeline')).toBe(false);
});
