import { describe, expect, it } from '@jest/globals';
import { readContent } from './index.js';

const topology =
  '\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\t0-31\t0\nGPU1\tNV18\t X \t0-31\t0\n\nLegend:\n\n  X    = Self\n';
const traceback =
  'loading\nTraceback (most recent call last):\n  File "run.py", line 3, in <module>\n    main()\ntorch.OutOfMemoryError: CUDA out of memory\n';

const esc = String.fromCharCode(27);
const matrix = topology.split('\n').slice(0, 3).join('\n');
const legend =
  topology.slice(topology.indexOf('Legend:')) + '  SYS  = Connection traversing PCIe as well as the SMP interconnect\n';
const single = '\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-15\t0\t\tN/A\n';
const underlined = (text: string, before: string, after: string) =>
  text.replace(/^(.*)$/m, (_, heading) => `${before}${heading}${after}`);

describe('the topology of nvidia-smi topo -m', () => {
  it.each([
    ['as it is', topology],
    ['with the prompt', `$ nvidia-smi topo -m\n${topology}`],
    ['with the prompt of a host', `root@node-1:~# nvidia-smi topo -m\n${topology}root@node-1:~# \n`],
    ['with the prompt of Windows', `PS C:\\Users\\me> nvidia-smi topo -m\n${topology}`],
    ['with a heading that is underlined', underlined(topology, `${esc}[4m`, `${esc}[0m`)],
    ['with escape codes that lost their character', underlined(topology, '[4m', '[0m')],
    ['with escape codes as an editor shows them', underlined(topology, '^[[4m', '^[[0m')],
    ['with line ends of Windows', topology.replaceAll('\n', '\r\n')],
    ['without its legend', matrix],
    ['of which only the legend is there', legend],
    ['of one GPU', single],
    ['with blanks in place of tabs', topology.replaceAll('\t', '   ')],
    ['in a code fence', `\`\`\`\n${topology}\`\`\`\n`],
    ['quoted', topology.replace(/^/gm, '> ')],
    ['below much else', `${'some words of a log\n'.repeat(500)}${topology}`],
  ])('points to tunebook detect %s', (_, text) => {
    const { format, reading } = readContent(text);
    expect([format, reading.runs]).toEqual([null, []]);
    expect(reading.problems.map(({ message }) => message.en)).toEqual([expect.stringMatching(/tunebook detect$/)]);
  });

  it('is no matrix of another kind', () => {
    const peers = ' \tGPU0\tGPU1\t\n GPU0\tX\tOK\t\n GPU1\tOK\tX\t\n\nLegend:\n\n  X    = Self\n  OK   = Status Ok\n';
    expect(readContent(peers).reading.problems[0]?.message.en).not.toContain('tunebook detect');
  });
});

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
