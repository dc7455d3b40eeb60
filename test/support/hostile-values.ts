// Values that nobody would write, and records with one of them.

type Path = readonly (string | number)[];

/** Values that a place of a record may have by mistake or malice; `another` is an id of the record. */
export function hostileValues(another: string): readonly unknown[] {
  return [
    null, '', ' ', -1, 0.5, 2 ** 40, 1e308, true, [], {}, '2026-13-45', '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z', 'a\0b', 'a\ud800b', 'x'.repeat(201), 'y'.repeat(100_001), 'constructor', '__proto__',
    '=1+1', '<script>alert(1)</script>', another,
  ]; // prettier-ignore
}

/** All places of a record, by what kind of place they are: `items[].work` stands for that of every item. */
export function placesOf(record: unknown): ReadonlyMap<string, readonly Path[]> {
  const places = new Map<string, Path[]>();
  const walk = (value: unknown, path: Path, kind: string): void => {
    if (path.length > 0) places.set(kind, [...(places.get(kind) ?? []), path]);
    if (Array.isArray(value)) {
      const entries: unknown[] = value;
      entries.slice(0, 40).forEach((entry, index) => walk(entry, [...path, index], `${kind}[]`));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) walk(entry, [...path, key], `${kind}.${key}`);
    }
  };
  walk(record, [], '');
  return places;
}

/** The record as JSON, with this value at that place. */
export function spoiled(record: unknown, path: Path, value: unknown): string {
  const copy: unknown = structuredClone(record);
  const holder = path.slice(0, -1).reduce<unknown>((one, step) => Reflect.get(Object(one), step), copy);
  Reflect.set(Object(holder), path.at(-1) ?? '', value);
  return JSON.stringify(copy);
}
