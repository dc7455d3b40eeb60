import { Injectable } from '@nestjs/common';
import { conflict, invalidInput, limitExceeded, notFound } from '../../domain/errors.js';
import { optionalText } from '../../domain/text-limits.js';
import type { Attachment as AttachmentRow } from '../../generated/prisma/client.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database, type Db } from '../../platform/database/database.js';
import { record, type Change } from '../../platform/database/history.js';
import { once } from '../../platform/database/once.js';
import { groupByKey, perRequest } from '../../platform/graphql/loader.js';
import { AuditsService, itemSubject } from '../audits/audits.service.js';
import { noEvidence } from './evidence.service.js';
import type { AttachEvidenceInput, Attachment, DetachEvidenceInput, Evidence } from './evidence.types.js';

/** Most attachments of one thing. */
const ATTACHMENT_LIMIT = 100;
const LONGEST_CAPTION = 1_000;

type Link = 'auditItemId' | 'trialId' | 'runId';
type Named = Partial<Readonly<Record<Link, string | null | undefined>>>;

/** What a file can be attached to: the column that names it, and how the history does. */
interface Target {
  readonly projectId: string;
  readonly link: Partial<Record<Link, string>>;
  readonly subject: Pick<Change, 'projectId' | 'auditId' | 'auditItemId' | 'subject' | 'subjectId'>;
  /** The item whose audit must be open; a run is of no audit. */
  readonly item: { readonly id: string; readonly auditId: string } | null;
}

/** Which files show what, on audit items, trials and runs. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly audits: AuditsService,
  ) {}

  readonly ofItem = this.loader('auditItemId');
  readonly ofTrial = this.loader('trialId');
  readonly ofRun = this.loader('runId');

  /** The files themselves, where their project has them: with an imported audit come names of files that it may lack. */
  readonly evidence = perRequest(async (attachments: readonly Attachment[]): Promise<(Evidence | null)[]> => {
    const rows = await this.db.evidence.findMany({
      where: {
        projectId: { in: [...new Set(attachments.map(({ projectId }) => projectId))] },
        sha256: { in: [...new Set(attachments.map(({ sha256 }) => sha256))] },
      },
    });
    const found = new Map(rows.map((row) => [`${row.projectId} ${row.sha256}`, row]));
    return attachments.map(({ projectId, sha256 }) => found.get(`${projectId} ${sha256}`) ?? null);
  });

  async attach(viewer: Viewer, input: AttachEvidenceInput): Promise<Attachment> {
    const target = await this.target(viewer, input);
    const caption = optionalText(input.caption, 'caption', LONGEST_CAPTION)?.trim() ?? null;
    const { evidenceId } = input;
    const found = await this.access.visible(viewer, await this.db.evidence.findUnique({ where: { id: evidenceId } }));
    if (found?.projectId !== target.projectId) throw noEvidence(evidenceId);
    const { projectId, sha256, fileName, mediaType, size } = found;
    const id = await once(this.db, viewer, 'attachEvidence', input, async (tx) => {
      await this.hold(tx, target);
      const there = await tx.attachment.findMany({
        where: { ...target.link, detachedAt: null },
        select: { id: true, sha256: true },
      });
      const same = there.find((one) => one.sha256 === sha256);
      if (same) throw attachedAlready(same.id, fileName);
      if (there.length >= ATTACHMENT_LIMIT) throw tooMany();
      const data = { projectId, ...target.link, sha256, fileName, mediaType, size, caption, createdById: viewer.id };
      const row = await tx.attachment.create({ data });
      await record(tx, viewer, [{ ...target.subject, field: 'attachment', after: shown(row) }]);
      return row.id;
    });
    return this.db.attachment.findUniqueOrThrow({ where: { id } });
  }

  /** Takes a file off what it is attached to. The row and the bytes stay. */
  async detach(viewer: Viewer, input: DetachEvidenceInput): Promise<Attachment> {
    const { attachmentId } = input;
    const row = await this.db.attachment.findUnique({ where: { id: attachmentId } });
    const found = await this.access.require(viewer, 'READ_PROJECT', row, noAttachment(attachmentId));
    const target = await this.target(viewer, found);
    const id = await once(this.db, viewer, 'detachEvidence', input, async (tx) => {
      await this.hold(tx, target);
      const { count } = await tx.attachment.updateMany({
        where: { id: attachmentId, detachedAt: null },
        data: { detachedAt: new Date() },
      });
      if (count === 0) throw detachedAlready(attachmentId, found.fileName);
      await record(tx, viewer, [{ ...target.subject, field: 'attachment', before: shown(found) }]);
      return attachmentId;
    });
    return this.db.attachment.findUniqueOrThrow({ where: { id } });
  }

  private loader(link: Link) {
    return perRequest(async (ids: readonly string[]): Promise<Attachment[][]> => {
      const rows = await this.db.attachment.findMany({
        where: { [link]: { in: [...ids] }, detachedAt: null },
        orderBy: { id: 'asc' },
      });
      return groupByKey(ids, rows, (row) => row[link] ?? '');
    });
  }

  /** The one thing that is named, if the viewer may attach files to it; INVALID_INPUT for none and for several. */
  private async target(viewer: Viewer, { auditItemId, trialId, runId }: Named): Promise<Target> {
    const targets: Target[] = [];
    if (isGiven(auditItemId)) targets.push(await this.itemTarget(viewer, auditItemId));
    if (isGiven(trialId)) targets.push(await this.trialTarget(viewer, trialId));
    if (isGiven(runId)) targets.push(await this.runTarget(viewer, runId));
    const [target, other] = targets;
    if (target && !other) return target;
    throw invalidInput({
      en: 'Give exactly one of auditItemId, trialId and runId',
      zh: '须且只须给出 auditItemId、trialId 与 runId 之一',
    });
  }

  private async itemTarget(viewer: Viewer, id: string): Promise<Target> {
    const item = await this.audits.requireItem(viewer, 'WRITE_AUDITS', id);
    return { projectId: item.projectId, link: { auditItemId: id }, subject: itemSubject(item), item };
  }

  private async trialTarget(viewer: Viewer, id: string): Promise<Target> {
    const row = await this.db.trial.findUnique({ where: { id }, include: { auditItem: true } });
    const hidden = notFound({ en: `There is no trial "${id}"`, zh: `没有试验“${id}”` }, { id });
    const { projectId, auditItem } = await this.access.require(viewer, 'WRITE_MEASUREMENTS', row, hidden);
    const { auditId } = auditItem;
    const subject = { projectId, auditId, auditItemId: auditItem.id, subject: 'trial', subjectId: id } as const;
    return { projectId, link: { trialId: id }, subject, item: auditItem };
  }

  private async runTarget(viewer: Viewer, id: string): Promise<Target> {
    const row = await this.db.run.findUnique({ where: { id }, select: { projectId: true } });
    const hidden = notFound({ en: `There is no run "${id}"`, zh: `没有运行“${id}”` }, { id });
    const { projectId } = await this.access.require(viewer, 'WRITE_MEASUREMENTS', row, hidden);
    return { projectId, link: { runId: id }, subject: { projectId, subject: 'run', subjectId: id }, item: null };
  }

  /** Refuses a closed audit and an archived item; until the end of the transaction nobody else attaches to the thing. */
  private async hold(tx: Db, { item, subject }: Target): Promise<void> {
    if (item === null) {
      await tx.$queryRaw`SELECT "id" FROM "Run" WHERE "id" = ${subject.subjectId} FOR NO KEY UPDATE`;
      return;
    }
    await this.audits.touchOpen(tx, item.auditId);
    await this.audits.refuseArchived(tx, item.id);
  }
}

function isGiven(id: string | null | undefined): id is string {
  return id !== null && id !== undefined;
}

/** What the history keeps of an attachment. */
function shown({ fileName, size, sha256, caption }: Pick<AttachmentRow, 'fileName' | 'size' | 'sha256' | 'caption'>) {
  return { fileName, size, sha256, caption };
}

function noAttachment(id: string) {
  return notFound({ en: `There is no attachment "${id}"`, zh: `没有附件“${id}”` }, { id });
}

function attachedAlready(id: string, fileName: string) {
  return conflict(
    { en: `The file "${fileName}" is attached already`, zh: `文件“${fileName}”已附上` },
    { current: { id } },
  );
}

function detachedAlready(id: string, fileName: string) {
  return conflict(
    { en: `The file "${fileName}" was taken off already`, zh: `附件“${fileName}”已被移除` },
    { current: { id } },
  );
}

function tooMany() {
  return limitExceeded(
    {
      en: `At most ${ATTACHMENT_LIMIT} files can be attached to one thing`,
      zh: `同一对象最多附 ${ATTACHMENT_LIMIT} 个文件`,
    },
    { limit: ATTACHMENT_LIMIT },
  );
}
