import { describe, expect, it } from '@jest/globals';
import { facts, faultsWhenBroken, output, read } from '../../../../test/support/read-facts.js';
import { pipList } from './pip-list.js';

describe('pip list', () => {
  it('reads the table, whatever separates the words of a name', () => {
    const text = output('pip-list/table.txt');
    expect(facts(pipList, text)).toEqual({
      flashAttention: '2.7.4.post1',
      megatronCore: '0.14.0',
      cudnn: '9.10.2.21',
      nccl: '2.27.3',
      torch: '2.8.0+cu128',
      transformerEngine: '2.7.0',
      triton: '3.4.0',
    });
    expect(read(pipList, text)[0]).toMatchObject({ tool: 'pip list', firstLine: 2, lastLine: 12 });
  });

  it('reads pip freeze, and does not guess between two wheels of NCCL', () => {
    const [reading] = read(pipList, output('pip-list/freeze.txt'));
    expect(reading).toMatchObject({ tool: 'pip freeze', firstLine: 1, lastLine: 9 });
    expect(reading?.findings).toEqual([
      { key: 'deepspeed', value: '0.17.5', line: 2 },
      { key: 'torch', value: '2.9.0', line: 8 },
      { key: 'vllm', value: '0.11.2', line: 9 },
    ]);
    expect(reading?.problems[0]?.message).toEqual({
      en: 'Which of these is in use cannot be told: nvidia-nccl-cu12 2.26.2, nvidia-nccl-cu13 2.28.3',
      zh: '无法判断实际使用的是哪一个：nvidia-nccl-cu12 2.26.2、nvidia-nccl-cu13 2.28.3',
    });
  });

  it('leaves alone requirements, two pinned names, packages of no interest and what collect_env lists', () => {
    const requirements = 'torch==2.8.0\ntransformers>=4.56\nvllm==0.11.0\ntriton==3.4.0\n';
    const listed = '[pip3] numpy==2.2.6\n[pip3] torch==2.8.0\n[pip3] triton==3.4.0\n';
    const others = 'idna==3.10\ncertifi==2025.8.3\nzipp==3.23.0\n';
    for (const text of [requirements, listed, others, 'torch==2.8.0\nvllm==0.11.0\n']) {
      expect(read(pipList, text)).toEqual([]);
    }
  });

  it('reads broken copies without a fault', () => {
    expect(faultsWhenBroken(pipList, [output('pip-list/table.txt'), output('pip-list/freeze.txt')])).toEqual([]);
  });
});
