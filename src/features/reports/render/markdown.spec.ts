import { describe, expect, it } from '@jest/globals';
import MarkdownIt from 'markdown-it';
import { comparison, item, smallRecord, trial } from '../../../../test/support/small-record.js';
import { renderMarkdown } from './markdown.js';

const lines = (text: string) => text.split('\n');

/** The headings as whoever reads the Markdown sees them, and the text of its links. */
function outline(text: string) {
  const tokens = new MarkdownIt({ html: true }).parse(text, {});
  const headings = tokens.filter(({ type, level }) => type === 'heading_open' && level === 0).length;
  const raw = tokens.filter(({ type, level }) => type === 'html_block' && level === 0).length;
  const tables = tokens.filter(({ type, level }) => type === 'table_open' && level === 0).length;
  const fences = tokens.filter(({ type, level }) => type === 'fence' && level === 0).length;
  const inline = tokens.flatMap(({ children }) => children ?? []);
  return { headings, raw, tables, fences, links: inline.filter(({ type }) => type === 'link_open').length };
}

const hostile = [
  '# A heading',
  '</details></table><script>alert(1)</script>',
  '[8.0, 12.0]: https://example.org',
  '| a | b |\n|---|---|',
  '\n<!-- open comment',
  '```\nopen fence',
].join('\n');

describe('renderMarkdown', () => {
  it('writes the report in English', () => {
    const text = lines(renderMarkdown(smallRecord(), 'EN'));
    for (const line of [
      '# Serving audit',
      '- **Project**: Chat serving `chat`',
      '- **Opened**: 2026-11-02 08:00 UTC by Ada',
      'Of 5 items 4 apply or may apply. Of these 2 are assessed (50 %), 2 done (50 %) and 1 verified by measurements (25 %).',
      '| Kernels | 2 | 2 | 2 | 1 | 1 | 100 % |',
      '| All | 5 | 4 | 2 | 2 | 1 | 50 % |',
      '| T1 · The fusion `kernels/fusion` | Throughput | 4 / 4 | 100 tokens/s | 110 tokens/s | +10.0 % \\[8.0, 12.0] | 0.029 | Mann–Whitney | statistical | improved |',
      '| T2 · The graphs `kernels/graphs` | Throughput | 4 / 4 | 110 tokens/s | 115.5 tokens/s | +5.0 % \\[3.0, 7.0] | 0.029 | Mann–Whitney | indicative | likely improved; confounded |',
      '- T3 · The batching `serving/batching`: Throughput',
      '| The steps multiplied | – | – | – | +15.5 % \\[12.5, 18.6] | – | – |',
      '| End to end, first median to last | – | – | – | +15.5 % | – | agrees within 2 % |',
      '| The batching `serving/batching` | applies | done | re-check, check changed; old result: rejected (too risky) | – | – | Ada, 2026-11-02 08:26 UTC |',
      '| The offload `serving/offload` | does not apply: needs NVLink-C2C | to do | not assessed | – | – | – |',
      '- Re-check since 2026-11-02 08:27 UTC, the result is of release 1.1.0: The check changed with 1.2.0',
      '- Accepted: 林工, 2026-11-02 08:22 UTC',
      '> - one',
      '**林工, 2026-11-02 08:22 UTC, accepted**',
      '## Archived items',
      '| The old-flag `kernels/old-flag`; of release 1.1.0 | applies | to do | applied | unverified | – | – |',
      '- Warning: Other things changed.',
      '| `driver` | 570 | unknown | warning | no |',
      '- The verdicts were computed by version 1.0.0 of the methods.',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('writes the report in Chinese', () => {
    const text = lines(renderMarkdown(smallRecord(), 'ZH'));
    for (const line of [
      '- **项目**：Chat serving `chat`',
      '共 5 个条目，其中 4 个适用或可能适用：已评估 2 个（50%），已完成 2 个（50%），经测量验证 1 个（25%）。',
      '| 合计 | 5 | 4 | 2 | 2 | 1 | 50% |',
      '| T2 · 条目 2 `kernels/graphs` | 吞吐量 | 4 / 4 | 110 tokens/s | 115.5 tokens/s | +5.0% \\[3.0, 7.0] | 0.029 | Mann–Whitney 检验 | 初步 | 很可能改善；有混杂因素 |',
      '| 条目 3 `serving/batching` | 适用 | 已完成 | 待复查（检查方法已变）；旧结论：已否决（风险过大） | – | – | Ada，2026-11-02 08:26 UTC |',
      '| 条目 4 `serving/offload` | 不适用：需要 NVLink-C2C | 待办 | 未评估 | – | – | – |',
      '- 自 2026-11-02 08:27 UTC 起待复查，旧结论针对版本 1.1.0：检查方法随 1.2.0 改变',
      '- 人工判定：适用（林工，2026-11-02 08:28 UTC）',
      '- 警告：另有变动。',
    ]) {
      expect(text).toContain(line);
    }
  });

  it('quotes whatever people wrote, so that it reaches nothing outside', () => {
    const harmless = smallRecord(({ items }) => ({ items: [{ ...item('kernels/fusion', 1), remark: 'ok' }, ...items.slice(1)] }));
    const changed = smallRecord(({ items }) => ({ items: [{ ...item('kernels/fusion', 1), remark: hostile }, ...items.slice(1)] }));
    const text = renderMarkdown(changed, 'EN');
    expect(outline(text)).toEqual(outline(renderMarkdown(harmless, 'EN')));
    for (const line of lines(hostile)) expect(lines(text)).toContain(line === '' ? '>' : `> ${line}`);
  }); // prettier-ignore

  it('escapes names and titles, pipes and line breaks in tables above all', () => {
    const titles = (en: string) => smallRecord(({ items }) => ({
      audit: { ...smallRecord().audit, title: `${en}` },
      items: [{ ...item('kernels/fusion', 1), title: { en, zh: null } }, ...items.slice(1)],
    }));
    const nasty = 'a | b\n\n# c *d* [e](https://example.org) <f> &lt; NCCL_BUFFSIZE _g_ 💥';
    const text = renderMarkdown(titles(nasty), 'EN');
    expect(outline(text)).toEqual(outline(renderMarkdown(titles('plain'), 'EN')));
    expect(text).toContain('a \\| b<br><br># c \\*d\\* \\[e](https://example.org) \\<f> \\&lt; NCCL_BUFFSIZE \\_g\\_ 💥');
  }); // prettier-ignore

  it('gives p with the correction by Holm where there is one, other metrics apart, and what a guardrail blocked', () => {
    const record = smallRecord(() => ({
      trials: [
        trial(1, 'kernels/fusion', [
          comparison({ verdict: 'BLOCKED_BY_GUARDRAIL', adjustedP: 0.0572, dimensions: { size: 8 }, seriesKey: 'size=8' }),
          comparison({ role: 'DIAGNOSTIC', verdict: 'INCONCLUSIVE', gain: null, pValue: null, moreRunsPerArm: 1 }),
        ]),
      ],
      items: smallRecord().items.map((one) => ({ ...one, trialIds: one.trialIds.slice(0, one.key === 'kernels/fusion' ? 1 : 0) })),
    }));
    const text = lines(renderMarkdown(record, 'EN'));
    const [primary, other] = text.filter((line) => line.startsWith('| T1 ·'));
    expect(primary).toContain('| Throughput (size = 8) | 4 / 4 |');
    expect(primary).toContain('| 0.029 (Holm 0.057) |');
    expect(primary).toMatch(/improved, but a guardrail failed \|$/);
    expect(other).toMatch(/\| – \| – \| .*inconclusive; about 1 more run in each arm would settle it \|$/);
    expect(text).toContain('Where the primary metric of a trial has several series, p is given with the correction by Holm over them.');
  }); // prettier-ignore

  it('says that nothing was measured where there are no trials', () => {
    const bare = smallRecord(({ items }) => ({ trials: [], runs: [], items: items.map((one) => ({ ...one, trialIds: [] })) }));
    const text = renderMarkdown(bare, 'ZH');
    expect(lines(text)).toContain('尚无测量。');
    expect(text).not.toContain('已应用条目的收益累计');
  }); // prettier-ignore
});
