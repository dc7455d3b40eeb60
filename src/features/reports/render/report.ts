import type { GivenFleet } from '../../../domain/derived/fleet.js';
import { auditStatusWords } from '../../../domain/audit/words.js';
import type { Locale } from '../../../domain/locale.js';
import { textIn } from '../../../domain/locale.js';
import type { AuditRecord } from '../../../domain/report/audit-record.js';
import { NOTHING, plainPercent, shareOf, timeText } from '../../../domain/report/figures.js';
import { timePartWords } from '../../../domain/report/words.js';
import { otherShare, timeParts } from '../../../domain/audit/time-breakdown.js';
import { columns, type Block, type Report, type Say } from './blocks.js';
import { itemBlocks } from './report-items.js';
import { savingsBlocks } from './report-savings.js';
import { summaryBlocks, type NextStep } from './report-summary.js';
import { trialBlocks, verdictBlocks } from './report-trials.js';
import { viewOf, type View } from './view.js';
import { waterfallBlocks } from './report-waterfall.js';

/** What a report says of an audit and of what is next in it, in one language; how it looks is for the renderers. */
export function reportOf(
  record: AuditRecord,
  locale: Locale,
  next: readonly NextStep[],
  fleet: GivenFleet | null,
): Report {
  const view = viewOf(record, locale);
  return {
    locale,
    title: record.audit.title,
    blocks: [
      ...headBlocks(view),
      ...summaryBlocks(view, next),
      ...environmentBlocks(view),
      ...progressBlocks(view),
      ...verdictBlocks(view),
      ...waterfallBlocks(view),
      ...savingsBlocks(view, fleet),
      ...itemBlocks(view),
      ...trialBlocks(view),
      ...milestoneBlocks(view),
      ...methodBlocks(view),
    ],
  };
}

function headBlocks({ record, say, locale }: View): readonly Block[] {
  const { audit, project, checklist } = record;
  const closed =
    audit.closedAt === null ? '' : say({ en: `, ${timeText(audit.closedAt)}`, zh: `，${timeText(audit.closedAt)}` });
  return [
    {
      kind: 'facts',
      caption: say({ en: 'The audit', zh: '审计概况' }),
      rows: [
        [say({ en: 'Project', zh: '项目' }), [project.name, ' ', { code: project.slug }]],
        [say({ en: 'Checklist', zh: '清单' }), [textIn(checklist.title, locale), ' ', { code: checklist.slug }]],
        [say({ en: 'Release', zh: '版本' }), checklist.version],
        [say({ en: 'Status', zh: '状态' }), `${say(auditStatusWords[audit.status])}${closed}`],
        [
          say({ en: 'Opened', zh: '创建' }),
          say({ en: `${timeText(audit.createdAt)} by ${audit.createdBy.name}`, zh: `${timeText(audit.createdAt)}，${audit.createdBy.name}` }),
        ],
        [
          say({ en: 'Review', zh: '评审' }),
          audit.requiresReview
            ? say({ en: 'items are done only when a reviewer accepts them', zh: '条目须经评审人通过才算完成' })
            : say({ en: 'not required', zh: '不强制' }),
        ],
        ...(audit.clonedFrom === null ? [] : [[say({ en: 'Cloned from', zh: '克隆自' }), [{ code: audit.clonedFrom }]] as const]),
        [say({ en: 'Exported', zh: '导出' }), timeText(record.exportedAt)],
      ],
    },
  ]; // prettier-ignore
}

type Fact = AuditRecord['scope']['facts'][string];

function valueText(value: Fact | undefined): string {
  if (value === null || value === undefined) return NOTHING;
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function environmentBlocks({ record, say }: View): readonly Block[] {
  const { environment, scope } = record;
  const blocks: Block[] = [
    { kind: 'heading', level: 2, text: say({ en: 'Environment and scope', zh: '环境与范围' }) },
    {
      kind: 'facts',
      caption: say({ en: 'What applicability was decided by', zh: '适用性的判定依据' }),
      rows: [
        [say({ en: 'Environment', zh: '环境' }), environment?.name ?? say({ en: 'none', zh: '无' })],
        [say({ en: 'Hardware', zh: '硬件配置' }), hardwareText(scope.hardware, say)],
        [say({ en: 'Scoped', zh: '判定时间' }), timeText(scope.at)],
      ],
    },
  ];
  const facts = Object.entries(scope.facts).sort(([one], [other]) => (one < other ? -1 : 1));
  if (facts.length > 0) {
    blocks.push({
      kind: 'table',
      caption: say({ en: 'Facts', zh: '环境信息' }),
      columns: columns([say({ en: 'Key', zh: '键' }), say({ en: 'Value', zh: '值' })]),
      rows: facts.map(([key, value]) => [[{ code: key }], valueText(value)]),
    });
  }
  if (environment) blocks.push(...changedSince(record, say));
  return [...blocks, ...breakdownBlocks(record, say)];
}

function hardwareText(hardware: AuditRecord['scope']['hardware'], say: Say) {
  return hardware === null ? say({ en: 'not known', zh: '未知' }) : [hardware.name, ' ', { code: hardware.slug }];
}

/** The environment can have changed since the audit was scoped by it. */
function changedSince({ environment, scope }: AuditRecord, say: Say): readonly Block[] {
  if (!environment) return [];
  const keys = [...new Set([...Object.keys(scope.facts), ...Object.keys(environment.facts)])].sort();
  const rows = keys
    .map((key) => [key, valueText(scope.facts[key]), valueText(environment.facts[key])] as const)
    .filter(([, before, after]) => before !== after)
    .map(([key, before, after]) => [[{ code: key }], before, after]);
  const [before, after] = [scope.hardware?.name ?? NOTHING, environment.hardware?.name ?? NOTHING];
  if (scope.hardware?.slug !== environment.hardware?.slug) rows.unshift([[{ code: 'hardware' }], before, after]);
  if (rows.length === 0) return [];
  return [
    {
      kind: 'table',
      caption: say({ en: 'The environment has changed since', zh: '此后环境已有变化' }),
      columns: columns([
        say({ en: 'Key', zh: '键' }),
        say({ en: 'When the audit was scoped', zh: '判定时' }),
        say({ en: 'Now', zh: '现在' }),
      ]),
      rows,
    },
  ];
}

function breakdownBlocks({ audit }: AuditRecord, say: Say): readonly Block[] {
  const { timeBreakdown } = audit;
  if (timeBreakdown === null) return [];
  const share = (value: number | null) =>
    value === null ? say({ en: 'unknown', zh: '未知' }) : say(plainPercent(value));
  const of = timeBreakdown.of === 'STEP' ? { en: 'a step', zh: '整步' } : { en: 'the device alone', zh: '仅设备' };
  const typed = timeBreakdown.source === 'TYPED' ? { en: 'typed in', zh: '人工填写' } : { en: 'imported', zh: '导入' };
  const blocks: Block[] = [
    {
      kind: 'table',
      caption: say({
        en: `Where the time goes, of ${of.en}; ${typed.en} ${timeText(timeBreakdown.at)}`,
        zh: `时间分解（${of.zh}，${typed.zh}于 ${timeText(timeBreakdown.at)}）`,
      }),
      columns: columns([say({ en: 'Part', zh: '部分' }), say({ en: 'Share', zh: '占比' })], [1]),
      rows: [
        ...timeParts.map((part) => [say(timePartWords[part]), share(timeBreakdown[part])]),
        [say(timePartWords.other), share(otherShare(timeBreakdown))],
      ],
    },
  ];
  const { note } = timeBreakdown;
  if (note !== null) blocks.push({ kind: 'said', label: say({ en: 'Note', zh: '说明' }), body: note });
  return blocks;
}

function progressBlocks({ record, say, sectionTitle }: View): readonly Block[] {
  const { progress, sections } = record;
  const { total, applicable, assessed, done, verified } = progress;
  const [ofAssessed, ofDone, ofVerified] = [assessed, done, verified].map((part) => say(shareOf(part, applicable)));
  const row = (name: string, one: typeof progress) => [
    name,
    ...[one.total, one.applicable, one.assessed, one.done, one.verified].map(String),
    say(shareOf(one.assessed, one.applicable)),
  ];
  return [
    { kind: 'heading', level: 2, text: say({ en: 'Progress', zh: '进展' }) },
    {
      kind: 'paragraph',
      text: say({
        en: `Of ${total} items ${applicable} apply or may apply. Of these ${assessed} are assessed (${ofAssessed}), ${done} done (${ofDone}) and ${verified} verified by measurements (${ofVerified}).`,
        zh: `共 ${total} 个条目，其中 ${applicable} 个适用或可能适用：已评估 ${assessed} 个（${ofAssessed}），已完成 ${done} 个（${ofDone}），经测量验证 ${verified} 个（${ofVerified}）。`,
      }),
    },
    {
      kind: 'table',
      caption: say({ en: 'Progress by section', zh: '各章节进展' }),
      columns: columns(
        [
          say({ en: 'Section', zh: '章节' }),
          say({ en: 'Items', zh: '条目' }),
          say({ en: 'Applicable', zh: '适用' }),
          say({ en: 'Assessed', zh: '已评估' }),
          say({ en: 'Done', zh: '已完成' }),
          say({ en: 'Verified', zh: '已验证' }),
          say({ en: 'Assessed of applicable', zh: '评估率' }),
        ],
        [1, 2, 3, 4, 5, 6],
      ),
      rows: [
        ...sections.map((section) => row(sectionTitle(section.key), section.progress)),
        row(say({ en: 'All', zh: '合计' }), progress),
      ],
    },
  ];
}

function milestoneBlocks({ record, say }: View): readonly Block[] {
  if (record.milestones.length === 0) return [];
  return [
    { kind: 'heading', level: 2, text: say({ en: 'Milestones', zh: '里程碑' }) },
    {
      kind: 'table',
      caption: say({ en: 'States that were kept', zh: '已保存的状态' }),
      columns: columns(
        [
          say({ en: 'Milestone', zh: '里程碑' }),
          say({ en: 'When', zh: '时间' }),
          say({ en: 'By', zh: '创建人' }),
          say({ en: 'Release', zh: '版本' }),
          say({ en: 'Applicable', zh: '适用' }),
          say({ en: 'Assessed', zh: '已评估' }),
          say({ en: 'Done', zh: '已完成' }),
          say({ en: 'Verified', zh: '已验证' }),
        ],
        [4, 5, 6, 7],
      ),
      rows: record.milestones.map(({ name, createdAt, createdBy, snapshot: { release, progress } }) => [
        name,
        timeText(createdAt),
        createdBy ?? NOTHING,
        release,
        ...[progress.applicable, progress.assessed, progress.done, progress.verified].map(String),
      ]),
    },
  ];
}

/** How to read the numbers, and by which version of the methods they were computed. */
function methodBlocks({ record, say }: View): readonly Block[] {
  const versions = [
    ...new Set(record.trials.flatMap(({ comparisons }) => comparisons.map((one) => one.methodVersion))),
  ].sort();
  const lines = [
    say({
      en: 'Progress counts the items that are not archived. An item whose applicability is unknown counts as applicable.',
      zh: '进展不计已归档的条目。适用性未知的条目按适用计。',
    }),
    say({
      en: 'An item with a re-check mark is not counted as assessed, while its work stays as it was: more items can be done than are assessed.',
      zh: '带复查标记的条目不计为已评估，但其工作状态保持不变，因此已完成数可能大于已评估数。',
    }),
    ...(versions.length === 0
      ? []
      : [
          say({
            en: 'A gain is positive where things got better, whatever the direction of the metric. Its brackets hold the 95 % interval, in percent. A verdict is strong where all of that interval is beyond the threshold.',
            zh: '收益为正表示变好，与指标方向无关；方括号内为 95% 区间（单位 %）。',
          }),
          say({
            en: `The verdicts were computed by version ${versions.join(', ')} of the methods.`,
            zh: `判定所用方法的版本：${versions.join('、')}。`,
          }),
        ]),
    say({
      en: 'The JSON export holds the history of the audit, and the runs with all that they observed.',
      zh: '审计的历史与各次运行的全部观测值见 JSON 导出。',
    }),
  ];
  return [
    { kind: 'heading', level: 2, text: say({ en: 'How to read this', zh: '阅读说明' }) },
    { kind: 'list', lines },
  ];
}
