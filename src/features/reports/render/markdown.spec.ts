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
      '| T1 · The fusion `kernels/fusion` | Throughput | 4 / 4 | 100 tokens/s | 110 tokens/s | +10.0 % \\[8.0, 12.0] | 0.029 | – | Mann–Whitney | statistical | improved |',
      '| T2 · The graphs `kernels/graphs` | Throughput | 4 / 4 | 110 tokens/s | 115.5 tokens/s | +5.0 % \\[3.0, 7.0] | 0.029 | – | Mann–Whitney | indicative | likely improved; confounded |',
      '- T3 · The batching `serving/batching`: Throughput',
      '| The steps multiplied | – | – | – | +15.5 % \\[12.5, 18.6] | – | – |',
      '| End to end, first median to last | – | – | – | +15.5 % | – | agrees within 2 % |',
      '| The batching `serving/batching` | applies | done | re-check, check changed; old result: rejected (too risky) | – | – | Ada, 2026-11-02 08:26 UTC |',
      '| The offload `serving/offload` | does not apply: needs NVLink-C2C | to do | not assessed | – | – | – |',
      '| The batching `serving/batching` | re-check, check changed; old result: rejected (too risky) | Latency. | Re-check since 2026-11-02 08:27 UTC, the result is of release 1.1.0: The check changed with 1.2.0 |',
      '## Summary',
      '- Work on 4 applicable items: 1 to do, 1 in progress, 2 done',
      '- Outcomes: 2 applied (1 verified, 1 indicated), 1 rejected, 1 not assessed',
      '- Verified gains: Throughput +10.0 % by 1 item',
      '- Stale results, to be checked again: 1 check changed',
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
      '| T2 · 条目 2 `kernels/graphs` | 吞吐量 | 4 / 4 | 110 tokens/s | 115.5 tokens/s | +5.0% \\[3.0, 7.0] | 0.029 | – | Mann–Whitney 检验 | 初步 | 很可能改善；有混杂因素 |',
      '| 条目 3 `serving/batching` | 适用 | 已完成 | 待复查（检查方法已变）；旧结论：已否决（风险过大） | – | – | Ada，2026-11-02 08:26 UTC |',
      '| 条目 4 `serving/offload` | 不适用：需要 NVLink-C2C | 待办 | 未评估 | – | – | – |',
      '| 条目 3 `serving/batching` | 待复查（检查方法已变）；旧结论：已否决（风险过大） | Latency. | 自 2026-11-02 08:27 UTC 起待复查，旧结论针对版本 1.1.0：检查方法随 1.2.0 改变 |',
      '- 适用条目 4 个：待办 1，进行中 1，已完成 2',
      '- 结论：已应用 2（已验证 1，有迹象 1），已否决 1，未评估 1',
      '- 已验证收益：吞吐量 +10.0%（1 个条目）',
      '- 待复查的旧结论：检查方法已变 1',
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
    for (const line of [
      '> \\# A heading',
      '> \\</details>\\</table>\\<script>alert(1)\\</script>',
      '> [8.0, 12.0]: https://example.org',
      '> |---|---|',
      '>',
      '> \\<!-- open comment',
      '> ```',
      '> open fence',
    ]) expect(lines(text)).toContain(line);
  }); // prettier-ignore

  it('escapes names and titles, pipes and line breaks in tables above all', () => {
    const titles = (en: string) => smallRecord(({ items }) => ({
      audit: { ...smallRecord().audit, title: `${en}` },
      items: [{ ...item('kernels/fusion', 1), title: { en, zh: null } }, ...items.slice(1)],
    }));
    const nasty = 'a | b\n\n# c *d* [e](https://example.org) <f> &lt; NCCL_BUFFSIZE _g_ 💥';
    const text = renderMarkdown(titles(nasty), 'EN');
    expect(outline(text)).toEqual(outline(renderMarkdown(titles('plain'), 'EN')));
    expect(text).toContain('a \\| b<br><br># c \\*d\\* \\[e](https\\://example.org) \\<f> \\&lt; NCCL_BUFFSIZE \\_g\\_ 💥');
  }); // prettier-ignore

  it('makes no link of an address, and no end of a heading of number signs', () => {
    const titles = (en: string) => smallRecord(({ items }) => ({
      audit: { ...smallRecord().audit, title: en },
      items: [{ ...item('kernels/fusion', 1), title: { en, zh: null } }, ...items.slice(1)],
    }));
    const text = renderMarkdown(titles('See https://a.example, www.b.example, ada@c.example and C #'), 'EN');
    expect(text).toContain('# See https\\://a.example, www\\.b.example, ada\\@c.example and C \\#\n');
    const tokens = new MarkdownIt({ html: true, linkify: true }).parse(text, {});
    expect(tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')).toEqual([]);
    expect(tokens[1]?.content).toMatch(/and C \\#$/);
  }); // prettier-ignore

  it('says at the top what is next by the plan, as its five first entries say it', () => {
    const [first, second] = smallRecord().items;
    const next = [
      { itemId: second?.id ?? '', explanation: [{ en: 'It helps', zh: '有效' }, { en: 'Effort S', zh: '工作量 S' }] },
      { itemId: first?.id ?? '', explanation: [{ en: 'It applies', zh: '适用' }] },
      { itemId: 'gone', explanation: [] },
    ];
    const text = renderMarkdown(smallRecord(), 'EN', next);
    const at = text.indexOf('Next by the plan:\n\n- The graphs `kernels/graphs`: It helps. Effort S.\n- The fusion `kernels/fusion`: It applies.\n\n');
    expect(at).toBeGreaterThan(text.indexOf('## Summary'));
    expect(at).toBeLessThan(text.indexOf('## Environment and scope'));
    expect(renderMarkdown(smallRecord(), 'ZH', next)).toContain('按计划接下来：\n\n- 条目 2 `kernels/graphs`：有效；工作量 S\n');
    expect(renderMarkdown(smallRecord(), 'EN')).not.toContain('Next by the plan');
  }); // prettier-ignore

  it('puts what is alike in many items into one row, and gives headings to items with something of their own', () => {
    const later = (number: number, reason: string) =>
      item(`kernels/k${number}`, number, { outcome: 'DEFERRED', reasonCode: 'LATER', reason, expiresAt: '2027-01-01T00:00:00.000Z' });
    const long = `After the release.\n\n- ${'one '.repeat(100)}`;
    const record = smallRecord(() => ({
      items: [...Array.from({ length: 40 }, (_, at) => later(10 + at, 'After | the <release>.')), later(60, long), later(61, long), later(63, 'Not **yet**'), item('kernels/fusion', 62, { outcome: 'DEFERRED', reason: 'Later', remark: 'But look.' })],
      trials: [],
      runs: [],
    }));
    const text = renderMarkdown(record, 'EN');
    expect(text.match(/^#### /gm)).toEqual(['#### ']);
    expect(text).toContain('#### The fusion `kernels/fusion`\n\n**Reason**\n\n> Later\n\n**Remark**\n\n> But look.');
    const rows = lines(text).filter((line) => line.includes('To be looked at again'));
    expect(rows).toHaveLength(3);
    expect(text).toContain('**Reason: The k63 `kernels/k63`**\n\n> Not **yet**');
    expect(rows[0]?.match(/`kernels\/k\d+`/g)).toHaveLength(40);
    expect(rows[0]).toContain(' | deferred (later) | After \\| the \\<release>. | To be looked at again 2027-01-01 00:00 UTC |');
    expect(rows[1]).toBe('| The k60 `kernels/k60`, The k61 `kernels/k61` | deferred (later) | below | To be looked at again 2027-01-01 00:00 UTC |');
    expect(text).toContain('**Reason: The k60 `kernels/k60`, The k61 `kernels/k61`**\n\n> After the release.\n>\n> - one one');
  }); // prettier-ignore

  it('gives p with its correction where there is one, other metrics apart, and what a guardrail blocked', () => {
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
    expect(primary).toContain('| 0.029 (corrected 0.057) |');
    expect(primary).toMatch(/improved, but a guardrail failed \|$/);
    expect(other).toMatch(/\| – \| – \| .*inconclusive; about 1 more run in each arm would settle it \|$/);
    expect(text).toContain('Where the primary metric of a trial has several series, p is given with its correction over them.');
  }); // prettier-ignore

  it('says that nothing was measured where there are no trials', () => {
    const bare = smallRecord(({ items }) => ({ trials: [], runs: [], items: items.map((one) => ({ ...one, trialIds: [] })) }));
    const text = renderMarkdown(bare, 'ZH');
    expect(lines(text)).toContain('尚无测量。');
    expect(text).not.toContain('已应用条目的收益累计');
  }); // prettier-ignore
});
