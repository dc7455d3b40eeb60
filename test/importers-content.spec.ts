import { describe, expect, it } from '@jest/globals';
import { readBreakdown } from '../src/domain/audit/breakdown/index.js';
import { readChecklist } from '../src/domain/content/import/imported.js';
import type { Packed } from '../src/domain/importers/decode.js';
import { prepare } from '../src/domain/importers/prepare.js';
import { importers, readContent, recognize } from '../src/domain/importers/index.js';
import { fixture, fixtures, messages } from './support/tool-output.js';

describe('the content of an upload', () => {
  const json = fixture('vllm-bench-serve/summary.json');
  const table = fixture('nccl-tests/all-reduce.txt');

  it.each([
    ['a byte order mark', `\uFEFF${table}`],
    ['\\r\\n', table.replaceAll('\n', '\r\n')],
    ['terminal colors', table.replaceAll('# ', '\u001b[1;32m#\u001b[0m ')],
  ])('is read in spite of %s', (_, text) => {
    expect(readContent(text)).toEqual(readContent(table));
  });

  it.each([
    ['', '- The content is empty'],
    [' \n\t\r\n', '- The content is empty'],
    ['\uFEFF', '- The content is empty'],
    [`${json}\0`, '38 The content is not text: line 38 holds a NUL character'],
    [
      '\u0001\u0002abc\u0003\u0004',
      '- The content is not text: it holds binary data, or text in an encoding other than UTF-8',
    ],
    ['\u001f\uFFFD\b\u0000\u0000', '- The content is a gzip archive: unpack it and send the text'],
    ['PK\u0003\u0004abc', '- The content is a zip archive: unpack it and send the text'],
    ['hello', `- The content is of none of the ${importers.length} formats that are known; importFormats lists them`],
  ])('is refused with a reason: %j', (text, message) => {
    expect(readContent(text)).toMatchObject({ format: null, candidates: [], reading: { runs: [] } });
    expect(messages(readContent(text))).toEqual([`ERROR ${message}`]);
  });

  it.each<[string, Packed, string]>([
    ['\u001f\ufffd\b', 'NOTHING', 'gzip archive: unpack it and send the text'],
    ['\u001f\ufffd\b', 'GZIP', 'gzip archive: unpack it and send the text'],
    ['\u001f\ufffd\b', 'BYTES_ELSEWHERE', 'gzip archive: send its bytes as contentBase64 or as an evidence file, or unpack it'],
    ['PK\u0003\u0004abc', 'NOTHING', 'zip archive: unpack it and send the text'],
    ['PK\u0003\u0004abc', 'GZIP', 'zip archive: unpack it and send the text, or pack that with gzip'],
    ['PK\u0003\u0004abc', 'BYTES_ELSEWHERE', 'zip archive: unpack it and send the text, or pack that with gzip'],
  ])('is refused as an archive in words of what its reader takes: %j, %s', (text, taken, message) => {
    const prepared = prepare(text, 1_000, taken);
    expect('problem' in prepared && prepared.problem.message.en).toBe(`The content is a ${message}`);
  }); // prettier-ignore

  it('of a checklist or a breakdown of time is refused as an archive without arguments that are not theirs', () => {
    const archive = '\u001f\ufffd\b';
    const checklist = readChecklist(archive);
    const problems = [
      ...('problems' in checklist ? checklist.problems : []),
      ...readBreakdown(archive, { stepSeconds: null, steps: null, devices: null }).problems,
    ];
    expect(problems.map(({ message }) => message)).toEqual([
      { en: 'The content is a gzip archive: unpack it and send the text', zh: '内容是 gzip 压缩文件，请解压后上传文本' },
      { en: 'The content is a gzip archive: unpack it and send the text', zh: '内容是 gzip 压缩文件，请解压后上传文本' },
    ]);
  }); // prettier-ignore

  it('is refused above the limit', () => {
    expect(messages(readContent('a'.repeat(70_000_000)))).toEqual(['ERROR - The content is larger than 64 MiB']);
    expect(messages(readContent('语'.repeat(400), undefined, 1_000))).toEqual([
      'ERROR - The content is larger than 1000 B',
    ]);
  });

  it('says in which line truncated JSON ends, recognized or not', () => {
    const lines = json.split('\n');
    const recognized = lines.slice(0, -3).join('\n');
    expect(messages(readContent(recognized))).toEqual([
      expect.stringContaining(`ERROR ${lines.length - 3} The JSON is truncated: it ends in line ${lines.length - 3}`),
    ]);
    const head = readContent(lines.slice(0, 5).join('\n'));
    expect(messages(head)).toEqual([
      expect.stringContaining('ERROR 5 The JSON is truncated: it ends in line 5'),
      expect.stringContaining('The content is of none of the'),
    ]);
  });

  it('names the line of a fault in JSON', () => {
    const read = readContent(json.replace('"burstiness": 1.0', '"burstiness": one'));
    expect(messages(read)).toEqual([
      expect.stringContaining('ERROR 10 This is not valid JSON: line 10, a value is expected'),
    ]);
  });

  it.each([
    ['"request_throughput": 6.0', '"request_throughput": "6.0"', 'ERROR 17 Not a result of vllm bench serve: request_throughput is not a number'],
    ['"request_throughput": 6.0', '"request_rate_achieved": 6.0', 'ERROR 1 Not a result of vllm bench serve: request_throughput is missing'],
    ['"mean_ttft_ms": 50.5', '"mean_ttft_ms": null', 'ERROR 21 Not a result of vllm bench serve: mean_ttft_ms is not a number'],
    ['"mean_ttft_ms": 50.5', '"mean_ttft_ms": fast', 'ERROR 21 This is not valid JSON: line 21, a value is expected'],
  ])('says which field keeps it from being a result of vLLM: %s as %s', (field, damage, message) => {
    const read = readContent(json.replace(field, damage));
    expect(read.reading.runs).toEqual([]);
    expect(messages(read)).toEqual([message]);
  }); // prettier-ignore

  it('refuses a key that stands twice with different values', () => {
    const twice = json.replace('"burstiness": 1.0,', '"burstiness": 1.0, "burstiness": 2,');
    expect(messages(readContent(twice))[0]).toContain('the key "burstiness" stands twice with different values');
    const same = json.replace('"burstiness": 1.0,', '"burstiness": 1.0, "burstiness": 1,');
    expect(messages(readContent(same))).toEqual([]);
  });

  it('is read by the format that the caller names, and a format that nobody knows is refused', () => {
    expect(readContent(table, 'nccl-tests').reading.runs).toHaveLength(1);
    expect(messages(readContent(table, 'hyperfine'))[0]).toContain('This is not valid JSON');
    expect(messages(readContent(table, 'excel'))).toEqual([
      'ERROR - The format "excel" is not known; importFormats lists those that are',
    ]);
  });

  it('is not read where it looks like the output of several tools', () => {
    const both = `${fixture('hyperfine/two-commands.json')}\n${table}`;
    expect(readContent(both)).toMatchObject({
      format: null,
      candidates: [
        { format: 'nccl-tests', runCount: 1, observationCount: 20 },
        { format: 'hyperfine', runCount: 0, observationCount: 0, metrics: [] },
      ],
      reading: { runs: [] },
    });
    expect(messages(readContent(both))[0]).toContain('Repeat with one of them as the format');
  });
});

describe('recognition', () => {
  it.each(fixtures)('takes $name for output of $tool alone', ({ tool, name }) => {
    expect(recognize(fixture(name)).map((importer) => importer.tool)).toEqual([tool]);
  });

  it.each([
    [
      'JSON Lines of another client',
      '{"backend":"x","request_throughput":1,"mean_ttft_ms":2,"median_e2e_latency_ms":3}',
    ],
    [
      'metrics with units',
      '{"request_throughput":{"unit":"requests/sec","avg":1},"mean_ttft_ms":{"avg":2},"backend":"x"}',
    ],
    ['a list of other results', '{"results":[{"name":"x","mean":1,"system":2}]}'],
    ['an article about bandwidth', 'The bus bandwidth (busbw) is the algbw times a factor, as size grows.'],
    ['our own name in a text', '{"comment":"tunebook-lab"}'],
  ])('leaves alone: %s', (_, text) => {
    expect(recognize(text)).toEqual([]);
  });
});
