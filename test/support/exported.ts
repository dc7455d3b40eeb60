import { expect } from '@jest/globals';
import type { AuditRecord } from '../../src/domain/report/audit-record.js';
import type { Client } from './app.js';

// Exported audits, and importing them.

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? Writable<E>[] : T[K] };
/** A record whose fields a spec spoils. */
export type WritableRecord = Writable<AuditRecord>;

export const IMPORT = `mutation($input: ImportAuditInput!) {
  importAudit(input: $input) {
    audit { id title status project { id } progress { total applicable assessed done verified } }
    problems { place message isBlocking } problemCount environment isDryRun
    itemCount trialCount runCount newRunCount commentCount milestoneCount historyCount
  }
}`;

/** The record of an audit, as its JSON says it. */
export async function exportedRecord(client: Client, id: string): Promise<WritableRecord> {
  const { data, errors } = await client.send('query($id: ID!) { auditExport(id: $id, format: JSON) { content } }', {
    id,
  });
  expect(errors).toEqual([]);
  return JSON.parse(data.auditExport.content) as WritableRecord;
}

/** Imports a record, or a text that is none; what the import reports. */
export async function importedBy(client: Client, projectId: string, content: unknown, input: object = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const { data, errors } = await client.send(IMPORT, { input: { projectId, content: text, ...input } });
  expect(errors).toEqual([]);
  return data.importAudit;
}
