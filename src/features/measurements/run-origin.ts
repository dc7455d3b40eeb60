import { invalidInput } from '../../domain/errors.js';
import { optionalText, TEXT_LIMITS } from '../../domain/text-limits.js';
import type { RunSource } from '../../generated/prisma/enums.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { ImportRunInput } from './imports.types.js';
import { sourceFor } from './run-source.js';

/** What is known of a run beside its file: who sent it, and what was measured. */
export interface Origin {
  readonly source: RunSource;
  readonly commit: string | null;
  readonly imageDigest: string | null;
}

/** The origin that an import names. INVALID_INPUT for a source that no file has, and for what is no digest. */
export function originOf(viewer: Viewer, input: Pick<ImportRunInput, 'source' | 'commit' | 'imageDigest'>): Origin {
  const { source } = input;
  if (source === 'MANUAL') {
    throw invalidInput({
      en: 'source of a file is IMPORT or CI, not MANUAL',
      zh: '文件的 source 须为 IMPORT 或 CI，不能为 MANUAL',
    });
  }
  const imageDigest = optionalText(input.imageDigest, 'imageDigest', TEXT_LIMITS.name);
  if (imageDigest !== null && !/^sha256:[0-9a-f]{64}$/.test(imageDigest)) {
    throw invalidInput({
      en: `imageDigest is sha256: and 64 hexadecimal digits, not "${imageDigest}"`,
      zh: `imageDigest 须为 sha256: 加 64 位十六进制数字，不能为“${imageDigest}”`,
    });
  }
  const commit = optionalText(input.commit, 'commit', TEXT_LIMITS.name);
  return { source: sourceFor(viewer, source ?? 'IMPORT'), commit, imageDigest };
}
