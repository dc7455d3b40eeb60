import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../domain/errors.js';
import { waterfallsOf, type WaterfallStep as Step } from '../../domain/report/waterfall.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { perRequest } from '../../platform/graphql/loader.js';
import { AuditsService, auditSubject } from '../audits/audits.service.js';
import type { Audit } from '../audits/audits.types.js';
import { MeasurementsService } from '../measurements/measurements.service.js';
import { waterfallInputs, type AuditWaterfallInput } from './waterfall.queries.js';
import { EndToEndSource, type SetEndToEndTrialInput, type Waterfall, type WaterfallStep } from './waterfall.types.js';

/** What the applied items of an audit did to a metric one after the other, held against all of it together. */
@Injectable()
export class WaterfallService {
  constructor(
    private readonly db: Database,
    private readonly audits: AuditsService,
    private readonly measurements: MeasurementsService,
  ) {}

  /** The waterfalls of audits that the viewer may see. */
  readonly ofAudit = perRequest(async (auditIds: readonly string[]): Promise<Waterfall[][]> => {
    const inputs = await waterfallInputs(this.db, auditIds);
    return auditIds.map((id) => {
      const input = inputs.get(id);
      return input ? shown(input) : [];
    });
  });

  /** Says which trial measured all applied items together, or that none did. */
  async setEndToEndTrial(viewer: Viewer, input: SetEndToEndTrialInput): Promise<Audit> {
    const { id } = await this.audits.require(viewer, 'WRITE_AUDITS', input.auditId);
    const trialId = input.trialId ?? null;
    await once(this.db, viewer, 'setEndToEndTrial', input, async (tx) => {
      const audit = await this.audits.touchOpenAt(tx, id, input.version);
      if (trialId !== null) await requireMeasured(tx, id, trialId);
      if (audit.endToEndTrialId === trialId) return id;
      await tx.audit.update({ where: { id }, data: { endToEndTrialId: trialId, version: { increment: 1 } } });
      await this.measurements.proveAnew(tx, viewer, await itemsOfTrials(tx, [audit.endToEndTrialId, trialId]));
      await record(tx, viewer, [
        { ...auditSubject(audit), field: 'endToEndTrial', before: audit.endToEndTrialId, after: trialId },
      ]);
      return id;
    });
    return this.db.audit.findUniqueOrThrow({ where: { id } });
  }
}

/** The items that these trials were recorded on, in one order for all. */
async function itemsOfTrials(tx: Db, trialIds: readonly (string | null)[]): Promise<string[]> {
  const ids = trialIds.filter((id) => id !== null);
  const trials = await tx.trial.findMany({ where: { id: { in: ids } }, select: { auditItemId: true } });
  return [...new Set(trials.map(({ auditItemId }) => auditItemId))].sort();
}

/** A trial of another audit is as unknown here as one that nobody made. */
async function requireMeasured(tx: Db, auditId: string, trialId: string): Promise<void> {
  const trial = await tx.trial.findFirst({
    where: { id: trialId, auditItem: { auditId } },
    select: { verdict: true, isControl: true },
  });
  const details = { place: 'trialId', trialId };
  if (!trial) {
    throw notFound({ en: `The audit has no trial "${trialId}"`, zh: `该审计没有试验“${trialId}”` }, details);
  }
  if (trial.verdict === null) {
    throw invalidInput(
      {
        en: `The trial "${trialId}" is a plan without a verdict: measure it first`,
        zh: `试验“${trialId}”只是计划，尚无判定，请先测量`,
      },
      details,
    );
  }
  if (trial.isControl) {
    throw invalidInput(
      {
        en: `The trial "${trialId}" is an A/A run: nothing was changed between its arms`,
        zh: `试验“${trialId}”是 A/A 对照，两组之间没有改动`,
      },
      details,
    );
  }
}

function shown(input: AuditWaterfallInput): Waterfall[] {
  const toStep = ({ itemKey, measuredAt, ...step }: Step): WaterfallStep => ({
    ...step,
    auditItemId: input.itemIds.get(itemKey) ?? itemKey,
    measuredAt: new Date(measuredAt),
  });
  return waterfallsOf(input).map(({ metric, steps, notCounted, endToEnd, remarks, ...rest }) => ({
    ...rest,
    metricId: metric,
    steps: steps.map(toStep),
    notCounted: notCounted.map(toStep),
    endToEnd: endToEnd && { ...endToEnd, source: EndToEndSource[endToEnd.source] },
    remarks: [...remarks],
  }));
}
