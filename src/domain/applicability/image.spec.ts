import { describe, expect, it } from '@jest/globals';
import { isImageNamed, readImage } from './image.js';

describe('readImage', () => {
  it.each([
    ['nvcr.io/nvidia/pytorch:25.04-py3', 'nvcr.io/nvidia/pytorch', '25.04-py3'],
    [' vllm/vllm-openai:v0.11.0 ', 'vllm/vllm-openai', 'v0.11.0'],
    ['nvcr.io/nvidia/pytorch:25.04-py3@sha256:0a1b', 'nvcr.io/nvidia/pytorch', '25.04-py3'],
    ['nvcr.io/nvidia/pytorch@sha256:0a1b', 'nvcr.io/nvidia/pytorch', null],
    ['registry.local:5000/nvidia/pytorch:25.04-py3', 'registry.local:5000/nvidia/pytorch', '25.04-py3'],
    ['registry.local:5000/nvidia/pytorch', 'registry.local:5000/nvidia/pytorch', null],
    ['pytorch', 'pytorch', null],
    ['pytorch:', 'pytorch', ''],
    ['', '', null],
  ])('reads "%s" as name %s with tag %s', (reference, name, tag) => {
    expect(readImage(reference)).toEqual({ name, tag });
  });
});

describe('isImageNamed', () => {
  it.each([
    ['nvcr.io/nvidia/pytorch', 'pytorch', true],
    ['nvcr.io/nvidia/pytorch', 'nvidia/pytorch', true],
    ['nvcr.io/nvidia/pytorch', 'NVCR.io/nvidia/PyTorch', true],
    ['nvcr.io/nvidia/pytorch', 'torch', false],
    ['nvcr.io/nvidia/pytorch-lts', 'pytorch', false],
    ['nvcr.io/my-nvidia/pytorch', 'nvidia/pytorch', false],
    ['pytorch', 'nvidia/pytorch', false],
  ])('of %s, wanted %s: %s', (name, wanted, expected) => expect(isImageNamed(name, wanted)).toBe(expected));
});
