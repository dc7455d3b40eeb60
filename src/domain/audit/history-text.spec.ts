import { describe, expect, it } from '@jest/globals';
import { historyText, personsIn, subjectText, wordOf, type KeptChange } from './history-text.js';

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
    ['isArchived', false, true, 'Archived: no → yes', '归档：否 → 是'],
    ['requiresReview', true, false, 'Review required: yes → no', '须经评审：是 → 否'],
    ['archived', null, true, 'Archived: yes', '归档：是'],
    ['section', 'io', 'serving', 'Section: “io” → “serving”', '章节由“io”变为“serving”'],
    ['release', '1.0.0', '1.1.0', 'Release: “1.0.0” → “1.1.0”', '版本由“1.0.0”变为“1.1.0”'],
    ['release', null, { slug: 'rig', version: '1.0.0' }, 'Release set to rig 1.0.0', '版本设为“rig 1.0.0”'],
    ['custom', { title: { en: 'Own' } }, null, 'Texts of a custom item cleared (was “Own”)', '自定义条目的内容已清除（原为“Own”）'],
    ['custom.metrics', [], [{ key: 'ttft', role: 'PRIMARY' }], 'Metrics set to “ttft”', '指标设为“ttft”'],
    ['adoptedFrom', null, 'n1', 'Adopted from a note', '采纳自一条调优笔记'],
    ['adoptedFrom', 'n1', 'n2', 'Adopted from another note', '改为采纳自另一条调优笔记'],
    ['endToEndTrialId', null, 't1', 'End-to-end trial named', '已指定端到端试验'],
    ['endToEndTrial', 't1', null, 'End-to-end trial cleared', '已取消端到端试验'],
    ['clonedFrom', null, 'a1', 'Cloned from another audit', '克隆自另一个审计'],
    ['shares', { a: 1 }, [2], 'shares: {"a":1} → [2]', 'shares 由“{"a":1}”变为“[2]”'],
    ['applies', null, null, 'Applicability by the rules changed', '规则判定有变更'],
  ])('says of %s what became of it', (field, before, after, en, zh) => {
    expect(textOf(field, before, after)).toEqual({ en, zh });
  }); // prettier-ignore

  it('tells the status of an audit from that of a proposal', () => {
    expect(textOf('status', 'OPEN', 'CLOSED', 'audit')).toEqual({ en: 'Status: open → closed', zh: '状态由“进行中”变为“已关闭”' });
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
    [
      'trial',
      { metric: 'throughput', verdict: 'NO_MEANINGFUL_CHANGE' },
      'Trial created on throughput: no meaningful change',
      '创建试验（指标 throughput）：无实质变化',
    ],
    ['trial', { metric: 'ttft', verdict: null }, 'Trial planned on ttft', '计划试验（指标 ttft）'],
    ['widget', { size: 3 }, 'widget created', '创建 widget'],
  ])('names a new %s', (subject, after, en, zh) => {
    expect(textOf('created', null, after, subject)).toEqual({ en, zh });
  });

  it('names what came with a comment from the audit that was cloned, and nothing that was not there', () => {
    const after = { body: 'x', replyTo: 'c1', decision: null, authorId: 'u1', authorName: 'Ann', createdAt: '2026-01-01', editedAt: '2026-01-02' };
    expect(textOf('carried', null, after, 'comment')).toEqual({
      en: 'Carried over: Text, Reply to, Author, Written at, Edited at',
      zh: '沿用：正文、所回复的评论、作者、发表时间、最近修改时间',
    });
  }); // prettier-ignore

  it('puts a time breakdown into the words and percents of its known shares', () => {
    const shares = { compute: 0.62, communication: 0.215, input: null, host: 0, source: 'TYPED', of: 'STEP', at: 'x', byId: 'u1' };
    expect(textOf('timeBreakdown', null, shares, 'audit')).toEqual({
      en: 'Time breakdown set to compute 62 %, communication 21.5 %, host 0 %',
      zh: '时间占比设为“计算 62%、通信 21.5%、主机 0%”',
    });
    expect(textOf('timeBreakdown', { compute: 0.5 }, { compute: 0.7, of: 'DEVICE_TIME' }, 'audit')).toEqual({
      en: 'Time breakdown: compute 50 % → compute 70 % (of the time of the device)',
      zh: '时间占比由“计算 50%”变为“计算 70%（占设备时间）”',
    });
  }); // prettier-ignore

  it('keeps a sentence short and on one line, and no character is cut in two', () => {
    const long = `a\n${'🚀'.repeat(200)}`;
    expect(textOf('remark', null, long).zh).toBe(`备注设为“a ${'🚀'.repeat(118)}…”`);
    expect(textOf('remark', null, '🚀'.repeat(120)).zh).toBe(`备注设为“${'🚀'.repeat(120)}”`);
  });
});

describe('wordOf', () => {
  it('puts values of enums and yes and no into words, and nothing else', () => {
    expect(wordOf({ subject: 'auditItem', field: 'outcome' }, 'APPLIED')).toEqual({ en: 'applied', zh: '已应用' });
    expect(wordOf({ subject: 'audit', field: 'status' }, 'OPEN')).toEqual({ en: 'open', zh: '进行中' });
    expect(wordOf({ subject: 'audit', field: 'requiresReview' }, false)).toEqual({ en: 'no', zh: '否' });
    expect(wordOf({ subject: 'auditItem', field: 'remark' }, 'APPLIED')).toBeNull();
    expect(wordOf({ subject: 'auditItem', field: 'outcome' }, null)).toBeNull();
  });

  it('calls a subject by its name, and one of another version as it is', () => {
    expect(subjectText('auditItem')).toEqual({ en: 'Item', zh: '条目' });
    expect(subjectText('widget')).toEqual({ en: 'widget', zh: 'widget' });
  });
});

describe('the history of another version, or of a file', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'calls %s by itself, wherever it stands',
    (name) => {
      expect(textOf(name, null, 'a')).toEqual({ en: `${name} set to “a”`, zh: `${name} 设为“a”` });
      expect(textOf(`custom.${name}`, null, 'a')).toEqual({
        en: `custom.${name} set to “a”`,
        zh: `custom.${name} 设为“a”`,
      });
      expect(textOf('work', null, name)).toEqual({ en: `Work set to “${name}”`, zh: `工作状态设为“${name}”` });
      expect(textOf('created', null, null, name)).toEqual({ en: `${name} created`, zh: `创建 ${name}` });
      expect(textOf('carried', null, JSON.parse(`{"${name}":1,"work":"DONE"}`))).toEqual({
        en: `Carried over: ${name}, Work`,
        zh: `沿用：${name}、工作状态`,
      });
      expect(textOf('created', null, { metric: 'm', verdict: name }, 'trial').en).toBe(`Trial created on m: ${name}`);
      expect(subjectText(name)).toEqual({ en: name, zh: name });
      expect(wordOf({ subject: 'auditItem', field: name }, name)).toBeNull();
    },
  );
});

describe('personsIn', () => {
  it('names whom the sentence is about', () => {
    expect(personsIn(change('assigneeId', 'u1', null))).toEqual(['u1']);
    expect(personsIn(change('acceptedById', 'u1', 'u2'))).toEqual(['u1', 'u2']);
    expect(personsIn(change('mentioned', ['u1'], ['u2', 'u1']))).toEqual(['u1', 'u2', 'u1']);
    expect(personsIn(change('remark', 'u1', 'u2'))).toEqual([]);
  });
});

describe('the history of a trial', () => {
  it.each([
    [
      'extended',
      { before: 4, after: 4, verdict: 'INCONCLUSIVE' },
      { before: 6, after: 7, looks: 2, verdict: 'IMPROVED' },
      'Runs added (before / after: 4 / 4 → 6 / 7): inconclusive → improved',
      '增加运行（前 / 后：4 / 4 → 6 / 7）：尚无定论 → 改善',
    ],
    [
      'extended',
      { before: 0, after: 0, verdict: null },
      { before: 4, after: 4, looks: 1, verdict: 'IMPROVED' },
      'Runs added (before / after: 0 / 0 → 4 / 4): improved',
      '增加运行（前 / 后：0 / 0 → 4 / 4）：改善',
    ],
    [
      'overridden',
      { verdict: 'NOT_COMPARABLE' },
      { verdict: 'IMPROVED' },
      'Blocking differences overridden by a reviewer: not comparable → improved',
      '复核人判定差异不妨碍对比：不可比 → 改善',
    ],
    [
      'overridden',
      { verdict: 'IMPROVED', reason: 'x' },
      null,
      'Override of blocking differences withdrawn',
      '撤回“仍可对比”的判定',
    ],
    ['recomputed', { verdict: 'IMPROVED' }, { verdict: 'IMPROVED' }, 'Computed anew: improved', '重新计算：改善'],
  ])('says that it was %s', (field, before, after, en, zh) => {
    expect(textOf(field, before, after, 'trial')).toEqual({ en, zh });
  });
});
