import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { readBreakdown, type ReadBreakdown, type StepTime } from '../../domain/audit/breakdown/index.js';
import {
  checkedShares,
  isUnknown,
  otherShare,
  timeBreakdownOf,
  timeParts,
  type TimeBreakdown as StoredBreakdown,
} from '../../domain/audit/time-breakdown.js';
import { invalidInput } from '../../domain/errors.js';
import { warning, type ImportProblem as ReadProblem } from '../../domain/importers/importer.js';
import { textIn } from '../../domain/locale.js';
import { optionalText, requiredText } from '../../domain/text-limits.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { toJson } from '../../platform/database/json.js';
import { once } from '../../platform/database/once.js';
import { AuditsService, auditSubject, staleAudit } from '../audits/audits.service.js';
import type { Audit } from '../audits/audits.types.js';
import { toImportProblem } from '../measurements/imports.types.js';
import {
  TimeCategory,
  type ImportTimeBreakdownInput,
  type SetTimeBreakdownInput,
  type TimeBreakdown,
  type TimeBreakdownReport,
} from './time-breakdown.types.js';

/** Where the time of a step goes, typed in or read from a profile. */
@Injectable()
export class TimeBreakdownService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
  ) {}

  /** The breakdown of an audit, as the API shows it. */
  of(audit: Pick<Audit, 'timeBreakdown'>): TimeBreakdown | null {
    return shown(timeBreakdownOf(audit.timeBreakdown));
  }

  /** Replaces the breakdown as a whole; shares that are all unknown clear it. */
  async set(viewer: Viewer, input: SetTimeBreakdownInput): Promise<Audit> {
    const { id } = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const shares = checkedShares(input);
    const note = optionalText(input.note, 'note');
    await once(this.db, viewer, 'setTimeBreakdown', input, async (tx) => {
      const current = await this.audits.touchOpenAt(tx, id, input.version);
      if (isUnknown(shares)) {
        // Nothing is left that the note could be of, so the history keeps it
        if (current.timeBreakdown !== null) await write(tx, viewer, current, null, note);
        return id;
      }
      const before = timeBreakdownOf(current.timeBreakdown);
      const isSame = before?.source === 'TYPED' && before.note === note && timeParts.every((part) => before[part] === shares[part]); // prettier-ignore
      if (!isSame)
        await write(tx, viewer, current, given(viewer, { ...shares, source: 'TYPED', of: 'STEP', note }), null);
      return id;
    });
    return this.db.audit.findUniqueOrThrow({ where: { id } });
  }

  /** Reads where the time goes, and replaces the breakdown by it; a problem that blocks means that nothing is written. */
  async import(viewer: Viewer, input: ImportTimeBreakdownInput): Promise<TimeBreakdownReport> {
    const audit = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const fileName = requiredText(input.fileName, 'fileName', 255);
    const read = readBreakdown(input.content, stepTimeOf(input));
    const report = (breakdown: StoredBreakdown | null, added: readonly ReadProblem[]): TimeBreakdownReport =>
      reportOf(viewer, audit.id, read, breakdown, added, (input.dryRun ?? false) ? 'DRY_RUN' : 'WRITTEN');
    const made = read.shares && given(viewer, { ...read.shares, source: 'IMPORTED', of: read.of, note: `${fileName} (${read.format ?? ''})` }); // prettier-ignore
    if (input.dryRun || made === null) {
      await this.audits.requireOpen(audit.id);
      const current = await this.db.audit.findUniqueOrThrow({ where: { id: audit.id } });
      if (current.version !== input.version) throw staleAudit(current, input.version);
      return report(made, made === null ? [] : replacing(current));
    }
    const { content, ...request } = input;
    const contentHash = createHash('sha256').update(content).digest('hex');
    const kept = await once(this.db, viewer, 'importTimeBreakdown', { ...request, contentHash }, async (tx) => {
      const current = await this.audits.touchOpenAt(tx, audit.id, input.version);
      await write(tx, viewer, current, made, null);
      return { made, before: timeBreakdownOf(current.timeBreakdown) };
    });
    return report(kept.made, replacing({ timeBreakdown: kept.before }));
  }
}

function given(viewer: Viewer, breakdown: Omit<StoredBreakdown, 'at' | 'byId'>): StoredBreakdown {
  return { ...breakdown, at: new Date().toISOString(), byId: viewer.id };
}

async function write(
  tx: Db,
  viewer: Viewer,
  audit: Audit,
  next: StoredBreakdown | null,
  reason: string | null,
): Promise<void> {
  const after = next && toJson(next);
  await tx.audit.update({
    where: { id: audit.id },
    data: { timeBreakdown: after ?? Prisma.DbNull, version: { increment: 1 } },
  });
  const before = timeBreakdownOf(audit.timeBreakdown);
  await record(tx, viewer, [
    { ...auditSubject(audit), field: 'timeBreakdown', before: before && toJson(before), after, reason },
  ]);
}

function shown(stored: StoredBreakdown | null): TimeBreakdown | null {
  if (stored === null) return null;
  const { of, at, ...rest } = stored;
  return { ...rest, other: otherShare(stored), isOfStep: of === 'STEP', at: new Date(at) };
}

function reportOf(
  viewer: Viewer,
  auditId: string,
  read: ReadBreakdown,
  breakdown: StoredBreakdown | null,
  added: readonly ReadProblem[],
  run: 'DRY_RUN' | 'WRITTEN',
): TimeBreakdownReport {
  return {
    auditId,
    format: read.format,
    breakdown: shown(breakdown),
    lines: read.lines.map(({ category, name, ...line }) => ({
      ...line,
      name: typeof name === 'string' ? name : textIn(name, viewer.locale),
      category: categories[category],
    })),
    problems: [...read.problems, ...added].map((problem) => toImportProblem(problem, viewer.locale)),
    isDryRun: run === 'DRY_RUN',
  };
}

const categories = {
  compute: TimeCategory.COMPUTE,
  communication: TimeCategory.COMMUNICATION,
  input: TimeCategory.INPUT,
  host: TimeCategory.HOST,
  other: TimeCategory.OTHER,
} as const;

/** What a person typed in goes: it is said, and the history keeps it. */
function replacing({ timeBreakdown }: { readonly timeBreakdown: unknown }): readonly ReadProblem[] {
  const before = timeBreakdownOf(timeBreakdown);
  if (before?.source !== 'TYPED') return [];
  const day = before.at.slice(0, 10);
  return [
    warning(
      null,
      `This takes the place of what a person typed in on ${day}; the history keeps it`,
      `这将取代 ${day} 由人填写的时间分解；历史中会保留`,
      { code: 'REPLACED' },
    ),
  ];
}

/** Some thirty years: a longer step is a slip, and all that is computed of it stays finite. */
const MOST_STEP_SECONDS = 1e9;

function stepTimeOf({ stepSeconds, steps, devices }: ImportTimeBreakdownInput): StepTime {
  if (stepSeconds !== null && stepSeconds !== undefined && stepSeconds <= 0) {
    throw invalidInput(
      { en: `stepSeconds must be above 0, and is ${stepSeconds}`, zh: `stepSeconds 须大于 0，现为 ${stepSeconds}` },
      { place: 'stepSeconds', value: stepSeconds },
    );
  }
  if (typeof stepSeconds === 'number' && !(stepSeconds <= MOST_STEP_SECONDS)) {
    throw invalidInput(
      {
        en: `stepSeconds must be at most ${MOST_STEP_SECONDS}, and is ${stepSeconds}`,
        zh: `stepSeconds 不得超过 ${MOST_STEP_SECONDS}，现为 ${stepSeconds}`,
      },
      { place: 'stepSeconds', value: String(stepSeconds) },
    );
  }
  for (const [place, value] of [['steps', steps], ['devices', devices]] as const) {
    if (value === null || value === undefined || value >= 1) continue;
    throw invalidInput(
      { en: `${place} must be at least 1, and is ${value}`, zh: `${place} 至少为 1，现为 ${value}` },
      { place, value },
    );
  } // prettier-ignore
  return { stepSeconds: stepSeconds ?? null, steps: steps ?? null, devices: devices ?? null };
}
