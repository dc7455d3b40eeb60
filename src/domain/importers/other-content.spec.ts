import { describe, expect, it } from '@jest/globals';
import { readContent } from './index.js';

const topology =
  '\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\t0-31\t0\nGPU1\tNV18\t X \t0-31\t0\n\nLegend:\n\n  X    = Self\n';
const traceback =
  'loading\nTraceback (most recent call last):\n  File "run.py", line 3, in <module>\n    main()\ntorch.OutOfMemoryError: CUDA out of memory\n';

describe('what is no result', () => {
  it.each([
    ['<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n', null, /^The content is a web page/],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n', null, /git lfs pull$/],
    [topology, null, /tunebook detect$/],
    [traceback, 2, /printed no result: torch\.OutOfMemoryError: CUDA out of memory$/],
  ])('is named, with what to do', (text, line, message) => {
    const { format, reading } = readContent(text);
    expect([format, reading.runs]).toEqual([null, []]);
    expect(reading.problems).toMatchObject([
      { line, code: 'UNRECOGNIZED', message: { en: expect.stringMatching(message) } },
    ]);
  });
});
