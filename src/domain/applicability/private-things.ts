/** What is not kept of a text, by its kind. */
export type PrivateKind = 'SERIAL_NUMBER' | 'UUID' | 'ADDRESS' | 'HOST_NAME' | 'USER_NAME';

export interface PrivateThings {
  readonly kind: PrivateKind;
  /** How many different ones the text holds. */
  readonly count: number;
}

/** Where each kind stands, as tools print it; the first group is the thing itself. */
const places: readonly (readonly [PrivateKind, RegExp])[] = [
  ['SERIAL_NUMBER', /(?<![A-Za-z0-9])serial(?:[ _-]?(?:number|no))?"?\s{0,60}[:=|>]\s{0,8}"?([A-Za-z0-9-]{4,40})/gi],
  ['SERIAL_NUMBER', /<(?:serial|chassis_serial_number|system_serial_number)>\s?([A-Za-z0-9-]{4,40})</gi],
  ['UUID', /((?:GPU-|MIG-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi],
  ['ADDRESS', /(?<![\w:.-])((?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})(?![\w:-])/gi],
  ['ADDRESS', /\b(?:GUID|Port GUID|node_guid|sys_image_guid)\s{0,60}[:=]?\s{0,30}((?:0x)?[0-9a-f]{4}:?[0-9a-f]{4}:?[0-9a-f]{4}:?[0-9a-f]{4})/gi],
  // A list of packages has versions of the same shape: nvidia-curand-cu12 10.3.9.90
  ['ADDRESS', /(?<![\w.+=~<>-])((?:10|172|192|100)\.\d{1,3}\.\d{1,3}\.\d{1,3})(?![\w.])(?<!nvidia-[\w-]{1,60}\s{1,60}\1)/g],
  ['HOST_NAME', /(?<![\w.+-])[a-z_][\w.-]{0,31}@([A-Za-z0-9][\w.-]{0,62})(?=:[~/]|\s*[$#>]|\s[^\s\]]{1,64}\][$#])/g],
  ['HOST_NAME', /^\s{0,8}Linux ([A-Za-z][\w.-]{0,62}) \d+\.\d+/g],
  ['HOST_NAME', /\b(?:host|node)[ _-]?name"?\s{0,20}[:=]\s{0,8}"?([A-Za-z][\w.-]{0,62})/gi],
  ['USER_NAME', /(?<![\w.+-])([a-z_][\w.-]{0,31})@[A-Za-z0-9][\w.-]{0,62}(?=:[~/]|\s*[$#>]|\s[^\s\]]{1,64}\][$#])/g],
  ['USER_NAME', /(?:\/home|\/Users)\/([\w.-]{1,32})/g],
]; // prettier-ignore

/** Words and numbers that stand for nothing, such as a UUID of zeros; the address of all machines is nobody's. */
const nothing = /^(n\/?a|none|unknown|redacted|not|null|(?:GPU-|MIG-|0x)?[0:-]+|ff([:-]ff){5})$/i;
const order: readonly PrivateKind[] = ['SERIAL_NUMBER', 'UUID', 'ADDRESS', 'HOST_NAME', 'USER_NAME'];

/** Counts what tells of a person or of one machine in the output of tools: it is shown as removed, and never stored. */
export function privateThings(lines: readonly string[]): readonly PrivateThings[] {
  const found = new Map<PrivateKind, Set<string>>();
  for (const line of lines) {
    // Shorter lines have no room for a name, longer ones are no output that names a machine: both would cost time
    if (line.length < 5 || line.length > 4_000) continue;
    for (const [kind, pattern] of places) {
      for (const match of line.matchAll(pattern)) {
        const thing = match[1] ?? '';
        if (nothing.test(thing)) continue;
        const things = found.get(kind) ?? new Set<string>();
        things.add(thing.toLowerCase());
        found.set(kind, things);
      }
    }
  }
  return order.flatMap((kind) => {
    const count = found.get(kind)?.size ?? 0;
    return count === 0 ? [] : [{ kind, count }];
  });
}
