import { Injectable } from '@nestjs/common';
import { notFound } from '../../domain/errors.js';
import { isStorable } from '../../domain/storable.js';
import { Access } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { record } from '../../platform/database/history.js';
import { EvidenceStore } from '../../platform/evidence/evidence-store.js';
import { oneByKey, perRequest, perRequestPages } from '../../platform/graphql/loader.js';
import { noProject } from '../projects/projects.service.js';
import type { Evidence } from './evidence.types.js';
import type { UploadedFile } from './upload.js';

/** An evidence file, and whether this request brought it. */
export type AddedEvidence = Evidence & { readonly isNew: boolean };

/** Evidence files of projects. There is no way to remove one: what a measurement rests on stays. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly db: Database,
    private readonly access: Access,
    private readonly store: EvidenceStore,
  ) {}

  readonly ofProject = perRequestPages(
    async (projectIds, take, after) => {
      const projects = await this.db.project.findMany({
        where: { id: { in: [...projectIds] } },
        select: {
          id: true,
          _count: { select: { evidence: true } },
          evidence: { where: after === null ? {} : { id: { lt: after } }, orderBy: { id: 'desc' }, take },
        },
      });
      return projects.map(({ id, evidence, _count }) => ({
        parentId: id,
        rows: evidence,
        totalCount: _count.evidence,
      }));
    },
    ({ id }) => id,
    (row): Evidence => row,
    async (projectIds, id) => {
      const where = { id, projectId: { in: [...projectIds] } };
      const rows = await this.db.evidence.findMany({ where, select: { projectId: true } });
      return rows.map(({ projectId }) => projectId);
    },
  );

  /** The file that a run was read from. */
  readonly ofRun = perRequest(async (runIds: readonly string[]): Promise<(Evidence | null)[]> => {
    const runs = await this.db.run.findMany({
      where: { id: { in: [...runIds] } },
      select: { id: true, evidence: true },
    });
    return oneByKey(runIds, runs, ({ id }) => id).map((run) => run?.evidence ?? null);
  });

  async find(viewer: Viewer, id: string): Promise<Evidence | null> {
    const found = isStorable(id) ? await this.db.evidence.findUnique({ where: { id } }) : null;
    return this.access.visible(viewer, found);
  }

  /** The id of the project with this id or slug, if the viewer may upload to it; NOT_FOUND for a stranger. */
  async requireUploads(viewer: Viewer, idOrSlug: string): Promise<string> {
    const row = isStorable(idOrSlug)
      ? ((await this.db.project.findUnique({ where: { id: idOrSlug } })) ??
        (await this.db.project.findUnique({ where: { slug: idOrSlug } })))
      : null;
    const found = row && { projectId: row.id };
    return (await this.access.require(viewer, 'WRITE_MEASUREMENTS', found, noProject(idOrSlug))).projectId;
  }

  /**
   * Keeps received files as evidence of a project, in their order. Bytes that the project has are the evidence that it has.
   * The bytes go first: a row never names a file that is not there.
   */
  async add(viewer: Viewer, projectId: string, files: readonly UploadedFile[]): Promise<AddedEvidence[]> {
    const left = new Set(files);
    try {
      for (const file of files) {
        left.delete(file);
        await this.store.keep(file);
      }
    } finally {
      for (const file of left) await this.store.discard(file);
    }
    return this.db.$transaction(async (tx) => {
      const added: AddedEvidence[] = [];
      for (const { sha256, size, fileName, mediaType } of files) {
        const data = [{ projectId, sha256, size, fileName, mediaType, createdById: viewer.id }];
        const { count } = await tx.evidence.createMany({ data, skipDuplicates: true });
        const row = await tx.evidence.findUniqueOrThrow({ where: { projectId_sha256: { projectId, sha256 } } });
        added.push({ ...row, isNew: count > 0 });
      }
      await record(
        tx,
        viewer,
        added
          .filter(({ isNew }) => isNew)
          .map(({ id, fileName, size, sha256 }) => ({
            projectId,
            subject: 'evidence',
            subjectId: id,
            field: 'created',
            after: { fileName, size, sha256 },
          })),
      );
      return added;
    });
  }
}

export function noEvidence(id: string) {
  return notFound({ en: `There is no evidence "${id}"`, zh: `没有证据“${id}”` }, { id });
}
