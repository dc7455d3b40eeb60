import { describe, expect, it } from '@jest/globals';
import { comparison, ids, item, smallRecord, trial } from '../../../../test/support/small-record.js';
import { renderCsv } from './csv.js';

/** The cells of a CSV text by RFC 4180. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\n' || end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

/** The rows as objects by the heads of their columns. */
function rowsOf(text: string): Record<string, string | undefined>[] {
  expect(text.startsWith('\uFEFF')).toBe(true);
  const [heads = [], ...rows] = cellsOf(text.slice(1));
  rows.forEach((row) => expect(row).toHaveLength(heads.length));
  return rows.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index]])));
}

describe('renderCsv', () => {
  it('has a row for each item, with words and heads in English', () => {
    const rows = rowsOf(renderCsv(smallRecord(), 'EN'));
    expect(rows.map((row) => row['Key'])).toEqual([
      'kernels/fusion',
      'kernels/graphs',
      'serving/batching',
      'serving/offload',
      'custom/warm-cache',
      'kernels/old-flag',
    ]);
    expect(rows[0]).toMatchObject({
      Section: 'Kernels',
      Title: 'The fusion',
      Applicability: 'applies',
      Work: 'done',
      Outcome: 'applied',
      Remark: 'Fused the norm.\n\n- one\n- two',
      Proof: 'verified',
      'Verdict of the newest trial': 'improved',
      Metric: 'Throughput',
      'Metric key': 'throughput',
      'Gain (fraction)': '0.1',
      'Gain, 95 % low': '0.08',
      'Gain, 95 % high': '0.12',
      Unit: 'tokens/s',
      'n before': '4',
      Evidence: 'statistical',
      Confounded: 'no',
      Assignee: '林工',
      Due: '2026-11-02T08:30:00.000Z',
      Priority: 'high',
      Comments: '1',
    });
    expect(rows[2]).toMatchObject({
      'Kind of reason': 'too risky',
      Reason: 'Latency.',
      'Re-check': 'check changed',
      'Cause of the re-check': 'The check changed with 1.2.0',
      'Gain (fraction)': '',
    });
    expect(rows[4]).toMatchObject({ Custom: 'yes', Release: '', 'Applicability by the rules': 'unknown' });
    expect(rows[5]).toMatchObject({ Archived: 'yes', Release: '1.1.0' });
  });

  it('has words and heads in Chinese', () => {
    const rows = rowsOf(renderCsv(smallRecord(), 'ZH'));
    expect(rows[0]).toMatchObject({
      键: 'kernels/fusion',
      章节: '核函数',
      结论: '已应用',
      测量结论: '已验证',
      优先级: '高',
    });
    expect(rows[4]).toMatchObject({ 标题: 'Warm cache', 自定义: '是', 人工判定的理由: 'We serve.' });
  });

  it.each(['=cmd()', '+1', '-1', '@sum(A1)', '\t=1'])('lets no spreadsheet take %p for a formula', (remark) => {
    const record = smallRecord(({ items }) => ({
      items: [{ ...item('kernels/fusion', 1), remark }, ...items.slice(1)],
    }));
    expect(rowsOf(renderCsv(record, 'EN'))[0]?.['Remark']).toBe(`'${remark}`);
  });

  it('keeps quotes, commas and line breaks, and a negative gain as a number', () => {
    const remark = 'a "b", c\r\nd; 词 💥';
    const record = smallRecord(({ items }) => ({
      trials: [trial(1, 'kernels/fusion', [comparison({ gain: -0.05, gainLow: -0.08, verdict: 'REGRESSED' })])],
      items: [{ ...item('kernels/fusion', 1), remark, trialIds: [ids.trial(1)] }, ...items.slice(2)],
    }));
    expect(rowsOf(renderCsv(record, 'EN'))[0]).toMatchObject({
      Remark: remark,
      'Gain (fraction)': '-0.05',
      'Verdict of the newest trial': 'regressed',
      Trials: '1',
    });
  });

  it('takes the newest trial with a verdict that is no A/A run, and of its series the one that decides', () => {
    const slower = comparison({ verdict: 'REGRESSED', gain: -0.2, dimensions: { size: 8 }, seriesKey: 'size=8' });
    const trials = [
      trial(1, 'kernels/fusion', [comparison()]),
      trial(2, 'kernels/fusion', [comparison({ dimensions: { size: 1 }, seriesKey: 'size=1' }), slower], {
        verdict: 'REGRESSED',
      }),
      trial(3, 'kernels/fusion', [comparison({ gain: 0 })], { isControl: true }),
      trial(4, 'kernels/fusion', []),
    ];
    const record = smallRecord(({ items }) => ({
      trials,
      items: [{ ...item('kernels/fusion', 1), trialIds: trials.map(({ id }) => id) }, ...items.slice(2)],
    }));
    expect(rowsOf(renderCsv(record, 'EN'))[0]).toMatchObject({
      Series: 'size = 8',
      'Gain (fraction)': '-0.2',
      Trials: '4',
    });
  });
});
