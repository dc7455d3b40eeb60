import { describe, expect, it } from '@jest/globals';
import { historyText, personsIn, type KeptChange } from './history-text.js';

const nameOf = (id: string) => (id === 'u1' ? 'Ann' : null);
const change = (field: string, before: unknown, after: unknown, subject = 'auditItem'): KeptChange => ({
  subject,
  field,
  before,
  after,
});
const textOf = (...args: Parameters<typeof change>) => historyText(change(...args), nameOf);

describe('historyText', () => {
  it.each([
    ['outcome', 'NOT_ASSESSED', 'APPLIED', 'Outcome: not assessed → applied', '结论由“未评估”变为“已应用”'],
    ['work', 'TODO', 'IN_PROGRESS', 'Work: to do → in progress', '工作状态由“待办”变为“进行中”'],
    ['reasonCode', null, 'TOO_RISKY', 'Kind of reason set to too risky', '理由类别设为“风险过大”'],
    ['remark', null, 'Tried it', 'Remark set to “Tried it”', '备注设为“Tried it”'],
    ['remark', 'One', 'Two', 'Remark: “One” → “Two”', '备注由“One”变为“Two”'],
    ['remark', '旧', null, 'Remark cleared (was “旧”)', '备注已清除（原为“旧”）'],
    ['assigneeId', 'u2', 'u1', 'Assignee: u2 → Ann', '负责人由“u2”变为“Ann”'],
    ['dueAt', null, '2026-12-01T08:00:00.000Z', 'Due date set to 2026-12-01 08:00 UTC', '截止时间设为“2026-12-01 08:00 UTC”'],
    ['priority', 'NORMAL', 'HIGH', 'Priority: normal → high', '优先级由“普通”变为“高”'],
    ['recheck', 'EXPIRED', null, 'Re-check mark cleared (was date reached)', '复查标记已清除（原为“已到期”）'],
    ['overruled', null, { answer: 'NO', reason: 'x' }, 'Overruling set to does not apply', '人工判定设为“不适用”'],
    ['custom.title', { en: 'A' }, { en: 'A', zh: '甲' }, 'Title: “A” → “A”', '标题由“A”变为“甲”'],
    ['custom.tags', ['gpu'], ['gpu', 'io'], 'Tags: gpu → gpu, io', '标签由“gpu”变为“gpu、io”'],
    ['mentioned', [], ['u1', 'u2'], 'Mentioned set to Ann, u2', '提及设为“Ann、u2”'],
    ['imported', null, { project: 'lab' }, 'Audit imported from “lab”', '从“lab”导入审计'],
    ['carried', null, { work: 'DONE', remark: 'x' }, 'Carried over: Work, Remark', '沿用：工作状态、备注'],
    ['isArchived', false, true, 'Archived: no → yes', '归档由“否”变为“是”'],
    ['shares', { a: 1 }, [2], 'shares: {"a":1} → [2]', 'shares 由“{"a":1}”变为“[2]”'],
    ['applies', null, null, 'Applicability by the rules changed', '规则判定有变更'],
  ])('says of %s what became of it', (field, before, after, en, zh) => {
    expect(textOf(field, before, after)).toEqual({ en, zh });
  }); // prettier-ignore

  it('tells the status of an audit from that of a proposal', () => {
    expect(textOf('status', 'OPEN', 'CLOSED', 'audit')).toEqual({ en: 'Status: open → closed', zh: '状态由“打开”变为“关闭”' });
    expect(textOf('status', 'OPEN', 'REJECTED', 'proposal')).toEqual({ en: 'Status: open → rejected', zh: '状态由“待决定”变为“已拒绝”' });
  }); // prettier-ignore

  it.each([
    ['audit', { title: 'First look', version: '1.0.0' }, 'Audit created: “First look”', '创建审计“First look”'],
    ['milestone', { name: '关闭时' }, 'Milestone created: “关闭时”', '创建里程碑“关闭时”'],
    ['comment', 'Looks right', 'Comment created: “Looks right”', '创建评论“Looks right”'],
    ['auditItem', { title: { zh: '自定义' } }, 'Item created: “自定义”', '创建条目“自定义”'],
    [
      'auditItem',
      { key: 'custom/x', section: 'io', custom: { title: { en: 'Own' } } },
      'Item created: “Own”',
      '创建条目“Own”',
    ],
    ['trial', null, 'Trial created', '创建试验'],
    ['widget', { size: 3 }, 'widget created', '创建 widget'],
  ])('names a new %s', (subject, after, en, zh) => {
    expect(textOf('created', null, after, subject)).toEqual({ en, zh });
  });

  it('keeps a sentence short and on one line, and no character is cut in two', () => {
    const long = `a\n${'🚀'.repeat(200)}`;
    expect(textOf('remark', null, long).zh).toBe(`备注设为“a ${'🚀'.repeat(118)}…”`);
    expect(textOf('remark', null, '🚀'.repeat(120)).zh).toBe(`备注设为“${'🚀'.repeat(120)}”`);
  });
});

describe('personsIn', () => {
  it('names whom the sentence is about', () => {
    expect(personsIn(change('assigneeId', 'u1', null))).toEqual(['u1']);
    expect(personsIn(change('acceptedById', 'u1', 'u2'))).toEqual(['u1', 'u2']);
    expect(personsIn(change('mentioned', ['u1'], ['u2', 'u1']))).toEqual(['u1', 'u2', 'u1']);
    expect(personsIn(change('remark', 'u1', 'u2'))).toEqual([]);
  });
});
