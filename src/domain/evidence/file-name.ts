import { cutToLength } from '../cut-text.js';

/** Longest name of a file, in UTF-16 code units. */
const LONGEST_NAME = 255;
/** Longer endings are no endings. */
const LONGEST_ENDING = 20;

/**
 * The name of an uploaded file without what could mislead: no folders, no control characters, nothing that is not seen or
 * that turns the direction of what follows. A long name loses its middle, and keeps its ending.
 */
export function cleanFileName(given: string): string {
  const [last = ''] = given.split(/[/\\]/u).slice(-1);
  const name = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  if (/^\.*$/u.test(name)) return 'file';
  if (name.length <= LONGEST_NAME) return name;
  const ending = /\.[^.\s]+$/u.exec(name)?.[0] ?? '';
  const kept = ending.length > LONGEST_ENDING ? '' : ending;
  return `${cutToLength(name, LONGEST_NAME - kept.length)}${kept}`;
}

/** Characters that stand for themselves in an extended value (RFC 8187); encodeURIComponent leaves four others as well. */
const EXTENDED = /['()*]/gu;

/** The header Content-Disposition of a download (RFC 6266): always an attachment, under this name in any script. */
export function attachmentNamed(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const extended = encodeURIComponent(name).replace(
    EXTENDED,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}
