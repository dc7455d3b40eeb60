import { z } from 'zod';
import { factsOfArm } from '../../domain/measurement/environment-diff.js';
import type { MeasuredEffect } from '../../domain/knowledge/expectation.js';
import type { Note as NoteRow, Prisma } from '../../generated/prisma/client.js';
import type { VisibleProjects } from '../../platform/auth/access.js';
import type { Db } from '../../platform/database/database.js';
import { factsOf, toJson } from '../../platform/database/json.js';
import { toLocalizedText } from '../../platform/graphql/localized-text.js';
import { tellsOfItem } from '../audits/audits.service.js';
import type { Note, NoteFilter } from './knowledge.types.js';

export function toNote(row: NoteRow): Note {
  return {
    ...row,
    title: toLocalizedText(row.title),
    body: toLocalizedText(row.body),
    caveats: row.caveats === null ? null : toLocalizedText(row.caveats),
  };
}

/** The notes that a viewer may see and a filter lets through. */
export function notesWhere(
  visible: VisibleProjects,
  { slug, item, hardware, outcome, tags }: NoteFilter,
): Prisma.NoteWhereInput {
  const conditions: Prisma.NoteWhereInput[] = [];
  if (visible !== 'ALL') conditions.push({ OR: [{ projectId: null }, { projectId: { in: [...visible] } }] });
  if (slug) conditions.push({ slug });
  if (item) conditions.push({ items: { some: { item: { key: item } } } });
  if (hardware) conditions.push({ context: { path: ['hardware'], equals: hardware } });
  if (outcome) conditions.push({ outcome: { in: [...new Set(outcome)] } });
  // To have all of no tags would be true of every note
  if (tags) conditions.push(tags.length === 0 ? { id: { in: [] } } : { tags: { hasEvery: tags } });
  return { AND: conditions };
}

/** The trials that a note is to show: those named, else all of the audit item that tell of it. */
export async function trialsFor(
  tx: Db,
  projectId: string,
  auditItemId: string | null,
  trialIds: readonly string[] | null,
): Promise<{ id: string; verdict: string | null }[]> {
  if (trialIds !== null) {
    const rows = await tx.trial.findMany({
      where: { id: { in: [...trialIds] }, projectId },
      select: { id: true, verdict: true },
    });
    return trialIds.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  }
  if (auditItemId === null) return [];
  return tx.trial.findMany({
    where: { auditItemId, ...tellsOfItem },
    select: { id: true, verdict: true },
    orderBy: { id: 'asc' },
  });
}

/** What the arms of the newest of these trials ran on and ran, and in what they were meant to differ. */
export async function contextOfTrials(tx: Db, trialIds: readonly string[]) {
  const newest = trialIds.at(-1);
  if (newest === undefined) return { environment: {}, workload: {}, change: {} };
  const links = await tx.trialRun.findMany({ where: { trialId: newest, arm: 'AFTER' }, include: { run: true } });
  const comparison = await tx.comparison.findFirst({
    where: { trialId: newest, role: 'PRIMARY' },
    orderBy: { computation: 'desc' },
  });
  return {
    environment: factsOfArm(links.map(({ run }) => factsOf(run.environment))),
    workload: factsOfArm(links.map(({ run }) => factsOf(run.workload))),
    change: declaredChange(comparison?.differences ?? []),
  };
}

const differencesShape = z.array(
  z.object({
    key: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    isDeclared: z.boolean(),
  }),
);

function declaredChange(differences: unknown): Prisma.InputJsonObject {
  const declared = differencesShape.parse(differences).filter(({ isDeclared }) => isDeclared);
  return toJson(Object.fromEntries(declared.map(({ key, before, after }) => [key, { before, after }])));
}

const primaryFirst = {
  where: { role: 'PRIMARY' },
  orderBy: [{ computation: 'desc' }, { position: 'asc' }],
  take: 1,
  include: { metric: true },
} satisfies Prisma.Note$comparisonsArgs;

/** What a note measured on its primary metric: its own measurements, then its trials in the order of the note. */
export async function effectsOf(tx: Db, noteId: string): Promise<MeasuredEffect[]> {
  const { comparisons, trials } = await tx.note.findUniqueOrThrow({
    where: { id: noteId },
    select: {
      comparisons: primaryFirst,
      trials: { orderBy: { order: 'asc' }, select: { trial: { select: { comparisons: primaryFirst } } } },
    },
  });
  return [...comparisons, ...trials.flatMap(({ trial }) => trial.comparisons)].map(
    ({ metric, gain, gainLow, gainHigh, verdict, evidence }) => ({
      metric: metric.key,
      gain,
      gainLow,
      gainHigh,
      verdict,
      evidence,
    }),
  );
}
