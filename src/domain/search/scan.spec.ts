import { describe, expect, it } from '@jest/globals';
import { identifierOf, scan } from './scan.js';

const pieces = (text: string) => scan(text).pieces.map((piece) => piece.text);
const identifiers = (text: string) => scan(text).identifiers.map(({ whole, parts }) => [whole, ...parts].join(' '));

describe('scan', () => {
  it('parts words from runs of Han characters', () => {
    expect(pieces('把batch调大，从 61% 到 92%')).toEqual(['把', 'batch', '调大', '从', '61', '到', '92']);
  });

  it.each([
    ['NCCL_IB_HCA=mlx5_0', ['nccl_ib_hca nccl ib hca', 'mlx5_0 mlx5 0']],
    ['call torch.compile.', ['torch.compile torch compile']],
    ['--enable-chunked-prefill', ['enable-chunked-prefill enable chunked prefill']],
    ['使用cudaMallocAsync时', ['cudamallocasync cuda malloc async']],
    ['std::vector', ['std::vector std vector']],
    ['/proc/sys/vm/nr_hugepages', ['proc/sys/vm/nr_hugepages proc sys vm nr hugepages']],
    ['nvidia-smi -pl 500', ['nvidia-smi nvidia smi', 'pl pl']],
    ['NVLink and vLLM', ['nvlink nv link', 'vllm v llm']],
    ['GPUs, FP8 and plain words - 5', []],
  ])('finds the identifiers in "%s"', (text, expected) => {
    expect(identifiers(text)).toEqual(expected);
  });

  it('knows what may be prose', () => {
    expect(scan('read-only torch.compile').identifiers.map(({ isExact }) => isExact)).toEqual([false, true]);
  });

  it('reads any 100 kB at once', () => {
    for (const text of ['_', '-', 'a_', 'aB', '.', '显', ' ']) scan(text.repeat(100_000 / text.length));
    expect(pieces('x'.repeat(100_000))).toEqual(['x'.repeat(64)]);
  });
});

describe('identifierOf', () => {
  it('takes the whole text', () => {
    expect(identifierOf(' nvidia-smi  -pl ')).toMatchObject({
      whole: 'nvidia-smi -pl',
      parts: ['nvidia', 'smi', 'pl'],
    });
  });
});
