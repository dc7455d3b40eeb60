import { auditRecord, type AuditRecord, type RecordedItem } from '../../src/domain/report/audit-record.js';
import type { RecordedComparison, RecordedRun, RecordedTrial } from '../../src/domain/report/measurement-record.js';

// A small audit record with one of everything, for specs of what is rendered from it.

const at = (minute: number): string => `2026-11-02T08:${String(minute).padStart(2, '0')}:00.000Z`;
const id = (kind: number, number: number): string =>
  `00000000-0000-7000-8${String(kind).padStart(3, '0')}-${String(number).padStart(12, '0')}`;
export const ids = { trial: (number: number) => id(3, number), run: (number: number) => id(4, number) };

export const ada = { id: 'ada', name: 'Ada' };
export const lin = { id: 'lin', name: '林工' };

/** An item nobody has looked at, with what is said of it. */
export function item(key: string, number: number, said: Partial<RecordedItem> = {}): RecordedItem {
  return {
    id: id(2, number),
    key,
    section: key.slice(0, key.indexOf('/')),
    title: { en: `The ${key.slice(key.indexOf('/') + 1)}`, zh: `条目 ${number}` },
    release: '1.2.0',
    isCustom: false,
    custom: null,
    isArchived: false,
    applicability: { answer: 'YES', derived: 'YES', reasons: [], isPast: false },
    overruling: null,
    work: 'TODO',
    outcome: 'NOT_ASSESSED',
    reasonCode: null,
    reason: null,
    remark: null,
    recheck: null,
    proof: null,
    expectation: null,
    plannedChange: null,
    adoptedFrom: null,
    assignee: null,
    dueAt: null,
    priority: 'NORMAL',
    expiresAt: null,
    assessedBy: null,
    assessedAt: null,
    submittedBy: null,
    submittedAt: null,
    acceptedBy: null,
    acceptedAt: null,
    updatedAt: at(0),
    comments: [],
    trialIds: [],
    attachments: [],
    ...said,
  };
}

/** A comparison of two arms of four values on `throughput`. */
export function comparison(said: Partial<RecordedComparison> = {}): RecordedComparison {
  return {
    metric: 'throughput',
    role: 'PRIMARY',
    dimensions: {},
    seriesKey: '',
    nBefore: 4,
    nAfter: 4,
    medianBefore: 100,
    medianAfter: 110,
    ratio: 1.1,
    gain: 0.1,
    gainLow: 0.08,
    gainHigh: 0.12,
    gainLow90: 0.085,
    gainHigh90: 0.115,
    pValue: 0.0286,
    adjustedP: null,
    reportAdjustedP: null,
    survivesReport: null,
    threshold: 0.02,
    requiredGain: 0.02,
    method: 'MANN_WHITNEY',
    methodVersion: '1.0.0',
    computedAt: at(10),
    evidence: 'STATISTICAL',
    verdict: 'IMPROVED',
    isStrong: false,
    isConfounded: false,
    moreRunsPerArm: null,
    warnings: [],
    differences: [],
    samples: [],
    ...said,
  };
}

/** A trial of an item with these comparisons; a plan without any. */
export function trial(
  number: number,
  auditItemKey: string,
  comparisons: readonly RecordedComparison[],
  said: Partial<RecordedTrial> = {},
): RecordedTrial {
  return {
    id: ids.trial(number),
    originId: ids.trial(number),
    auditItemKey,
    hypothesis: null,
    variable: ['torch.compile'],
    primaryMetric: 'throughput',
    guardrails: [],
    threshold: null,
    isPaired: false,
    sampling: 'SEPARATE_SESSIONS',
    isControl: false,
    isSaidControl: false,
    plannedRunsPerArm: null,
    looks: 1,
    override: null,
    createdAt: at(10 + number),
    createdBy: ada,
    attachments: [],
    beforeRunIds: comparisons.length === 0 ? [] : [ids.run(2 * number)],
    afterRunIds: comparisons.length === 0 ? [] : [ids.run(2 * number + 1)],
    verdict: comparisons[0]?.verdict ?? null,
    comparisons: [...comparisons],
    ...said,
  };
}

function run(number: number): RecordedRun {
  return {
    id: ids.run(number),
    source: 'MANUAL',
    status: 'OK',
    tool: null,
    toolVersion: null,
    format: null,
    fileName: null,
    contentHash: null,
    part: 0,
    session: null,
    block: null,
    variant: null,
    environment: {},
    workload: {},
    factSources: {},
    leftOut: 0,
    command: null,
    commit: null,
    imageDigest: null,
    evidence: null,
    startedAt: null,
    createdAt: at(9),
    createdBy: ada,
    attachments: [],
    observations: [],
  };
}

function items(): RecordedItem[] {
  return [
    item('kernels/fusion', 1, {
      work: 'DONE',
      outcome: 'APPLIED',
      proof: 'VERIFIED',
      remark: 'Fused the norm.\n\n- one\n- two',
      assignee: lin,
      dueAt: at(30),
      priority: 'HIGH',
      assessedBy: ada,
      assessedAt: at(20),
      submittedBy: ada,
      submittedAt: at(21),
      acceptedBy: lin,
      acceptedAt: at(22),
      trialIds: [ids.trial(1)],
      comments: [
        { id: id(5, 1), author: '林工', body: '不错', decision: 'ACCEPTED', createdAt: at(22), editedAt: null, replyTo: null },
      ],
    }),
    item('kernels/graphs', 2, {
      work: 'IN_PROGRESS',
      outcome: 'APPLIED',
      proof: 'INDICATED',
      assessedBy: ada,
      assessedAt: at(25),
      trialIds: [ids.trial(2)],
    }),
    item('serving/batching', 3, {
      work: 'DONE',
      outcome: 'REJECTED',
      reasonCode: 'TOO_RISKY',
      reason: 'Latency.',
      assessedBy: ada,
      assessedAt: at(26),
      recheck: {
        code: 'CHECK_CHANGED',
        cause: { en: 'The check changed with 1.2.0', zh: '检查方法随 1.2.0 改变' },
        since: at(27),
        release: '1.1.0',
      },
    }),
    item('serving/offload', 4, {
      applicability: {
        answer: 'NO',
        derived: 'NO',
        reasons: [{ en: 'needs NVLink-C2C', zh: '需要 NVLink-C2C' }],
        isPast: false,
      },
    }),
    item('custom/warm-cache', 5, {
      section: 'serving',
      isCustom: true,
      release: null,
      custom: { title: { en: 'Warm cache' }, texts: { why: { en: 'First requests are slow.' } } },
      title: { en: 'Warm cache', zh: null },
      overruling: { answer: 'YES', reason: 'We serve.', by: lin, at: at(28) },
      applicability: { answer: 'YES', derived: 'UNKNOWN', reasons: [], isPast: false },
    }),
    item('kernels/old-flag', 6, { isArchived: true, release: '1.1.0', outcome: 'APPLIED', proof: 'UNVERIFIED' }),
  ]; // prettier-ignore
}

/** Two sections, five items and an archived one, two trials whose steps chain and a plan, a milestone; checked by its schema. */
export function smallRecord(change: (record: AuditRecord) => Partial<AuditRecord> = () => ({})): AuditRecord {
  const progress = { total: 5, applicable: 4, assessed: 2, done: 2, verified: 1 };
  const record: AuditRecord = {
    format: 'tunebook-audit/1',
    exportedAt: at(59),
    audit: {
      id: id(1, 1),
      title: 'Serving audit',
      status: 'OPEN',
      createdAt: at(0),
      createdBy: ada,
      closedAt: null,
      requiresReview: true,
      clonedFrom: null,
      timeBreakdown: null,
      endToEndTrial: null,
    },
    project: { slug: 'chat', name: 'Chat serving' },
    checklist: { slug: 'rig', version: '1.2.0', title: { en: 'Rig', zh: '台架' }, digest: 'd' },
    environment: { name: 'lab', hardware: { slug: 'h100-sxm', name: 'H100 SXM' }, facts: { cuda: '13.0' } },
    scope: { hardware: { slug: 'h100-sxm', name: 'H100 SXM' }, facts: { cuda: '12.8' }, at: at(1) },
    progress,
    sections: [
      {
        key: 'kernels',
        title: { en: 'Kernels', zh: '核函数' },
        order: 1,
        progress: { total: 2, applicable: 2, assessed: 2, done: 1, verified: 1 },
      },
      {
        key: 'serving',
        title: { en: 'Serving', zh: '推理服务' },
        order: 2,
        progress: { total: 3, applicable: 2, assessed: 0, done: 1, verified: 0 },
      },
    ],
    items: items(),
    metrics: [
      {
        key: 'throughput',
        isOwn: false,
        name: { en: 'Throughput', zh: '吞吐量' },
        unit: 'tokens/s',
        dimension: 'token-rate',
        direction: 'HIGHER_IS_BETTER',
        target: null,
        isExact: false,
        smallestEffect: 0.02,
        role: 'PRIMARY',
      },
    ],
    runs: [2, 3, 4, 5].map(run),
    trials: [
      trial(1, 'kernels/fusion', [comparison()]),
      trial(2, 'kernels/graphs', [
        comparison({
          medianBefore: 110,
          medianAfter: 115.5,
          gain: 0.05,
          gainLow: 0.03,
          gainHigh: 0.07,
          evidence: 'INDICATIVE',
          isConfounded: true,
          warnings: [{ code: 'CONFOUNDED', message: { en: 'Other things changed.', zh: '另有变动。' }, details: {} }],
          differences: [{ key: 'driver', before: '570', after: null, tier: 'WARN', isDeclared: false }],
        }),
      ]),
      trial(3, 'serving/batching', []),
    ],
    milestones: [],
    history: [],
  };
  return auditRecord.parse({ ...record, ...change(record) });
}
