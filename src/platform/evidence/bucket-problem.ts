import type { BucketSettings } from '../config.js';
import { OperatorError } from '../operator-error.js';

/** What to tell the operator of a bucket that cannot be used. It repeats no credential. */
export function bucketProblem(error: unknown, { bucket, endpoint, region }: BucketSettings): OperatorError {
  const where = endpoint ?? `S3${region === null ? '' : ` in ${region}`}`;
  return new OperatorError(`Evidence files cannot be stored: ${reasonOf(error, bucket, where)}`, { cause: error });
}

function reasonOf(error: unknown, bucket: string, where: string): string {
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'CredentialsProviderError') {
    return 'there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that the AWS SDK knows.';
  }
  if (/Region is missing/i.test(message)) return 'the region is not known. Set EVIDENCE_S3_REGION.';
  const status = statusOf(error);
  if (status === 404) return `there is no bucket "${bucket}" at ${where}. See EVIDENCE_S3_BUCKET.`;
  if (status === 401 || status === 403) {
    return `${where} does not let these credentials use the bucket "${bucket}". They must list it, and read, write and delete in it.`;
  }
  if (status === 301 || status === 400) {
    return `the bucket "${bucket}" is in another region than ${where}. See EVIDENCE_S3_REGION and EVIDENCE_S3_ENDPOINT.`;
  }
  // The SDK wraps what the system says
  const code = /\bE[A-Z_]{3,}\b/.exec(message)?.[0] ?? message;
  if (status === null) return `${where} cannot be reached: ${code}. See EVIDENCE_S3_ENDPOINT.`;
  return `${where} answered with status ${status} for the bucket "${bucket}": ${message}`;
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return null;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return null;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null;
}
