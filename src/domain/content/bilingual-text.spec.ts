import { describe, expect, it } from '@jest/globals';
import { problemsInChinese, problemsInEnglish } from './bilingual-text.js';

describe('problemsInChinese', () => {
  it.each([
    '预热后用 CUDA 事件测步时间（至少 5 次），再看 p99。',
    '低于约 5% 时没有空间；5%时也可以。',
    '查看 `torch.backends.cuda.matmul.fp32_precision`（PyTorch 2.9 及以后）：`ieee`表示关闭。',
    '运行：\n```bash\necho 中文abc, 测试:ok\n```\n完成。',
    '1. 运行：\n\n   ```bash\n   中文abc,\n   ```\n2. 完成。',
    '- ```\n  中文abc,\n  ```\n完成。',
    '~~~\n中文abc\n```\n~~~\n完成。',
    '用 ``a`中文b`` 表示。',
    '见 [说明](https://example.com/a?b=c)，**重要**：“GPU”、《NCCL》、1–2 GB/s、≥80 GB、±5。',
    '量级为 10⁻³，误差 1.6e-6，3.35 TB/s。',
  ])('has nothing to say about %j', (text) => {
    expect(problemsInChinese(text, 'PROSE')).toEqual([]);
  });

  it.each([
    ['显存,内存', 'half-width punctuation after a Chinese character: “显存,内存”'],
    ['步骤: 重启', 'half-width punctuation after a Chinese character: “步骤: 重启”'],
    ['使用GPU', 'a space is missing between Chinese and Latin letters or digits: “使用GPU”'],
    ['约 2倍', 'a space is missing between Chinese and Latin letters or digits: “约 2倍”'],
    ['GPU memory', 'the Chinese text is not Chinese'],
    ['运行：\n```\nls', 'a code block is not closed'],
    ['设置 `a 并重启', 'a backtick has no partner: “设置 `a 并重启”'],
  ])('reports %j', (text, expected) => {
    expect(problemsInChinese(text, 'PROSE').map((problem) => problem.en)).toEqual([expected]);
  });

  it('reports every place, not the first alone', () => {
    expect(problemsInChinese('显存,内存;看GPU', 'PROSE')).toHaveLength(3);
  });

  it('lets a name be Latin', () => {
    expect(problemsInChinese('NVLink', 'NAME')).toEqual([]);
  });
});

describe('problemsInEnglish', () => {
  it('has nothing to say about Chinese inside code', () => {
    expect(problemsInEnglish('The word is `显存`:\n```\n内存\n```\n')).toEqual([]);
  });

  it('reports Chinese outside code', () => {
    expect(problemsInEnglish('The word is 显存.').map((problem) => problem.en)).toEqual([
      'Chinese in the English text: “word is 显存.”',
    ]);
  });
});
