/** Bytes from the first to the last of these, both included, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a header Range (RFC 9110) asks for of a file with so many bytes. WHOLE where it says nothing that must be followed:
 * another unit, several ranges, or no range at all.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'WHOLE' | 'UNSATISFIABLE' {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'WHOLE';
  if (from === '') {
    const count = Math.min(Number(to), size);
    return count === 0 ? 'UNSATISFIABLE' : { start: size - count, end: size - 1 };
  }
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < start) return 'WHOLE';
  return start >= size ? 'UNSATISFIABLE' : { start, end };
}
