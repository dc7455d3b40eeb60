import { join } from 'node:path';
import { codeOf } from '../../domain/error-code.js';
import type { BucketSettings, Config } from '../config.js';
import { OperatorError } from '../operator-error.js';
import { EvidenceFolder } from './evidence-folder.js';
import type { EvidencePlace } from './evidence-place.js';
import { EvidenceStore } from './evidence-store.js';
import { Inbox } from './inbox.js';

/** The store that the settings name. Files are received into the evidence folder, wherever they go from there. */
export async function openEvidenceStore({ evidenceFolder, evidenceBucket }: Config): Promise<EvidenceStore> {
  const place = evidenceBucket ? await bucketPlace(evidenceBucket) : new EvidenceFolder(evidenceFolder);
  return new EvidenceStore(new Inbox(join(evidenceFolder, 'unfinished')), place);
}

/** The SDK is loaded only where there is a bucket, and need not be installed elsewhere. */
async function bucketPlace(settings: BucketSettings): Promise<EvidencePlace> {
  try {
    const { EvidenceBucket } = await import('./evidence-bucket.js');
    return await EvidenceBucket.connect(settings);
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message =
      'EVIDENCE_S3_BUCKET needs the package @aws-sdk/client-s3, which is not installed: run npm ci without --omit=optional';
    throw new OperatorError(message, { cause: error });
  }
}
