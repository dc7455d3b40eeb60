/** Whether two names read as one: case and blanks at their ends do not count. */
export function isSameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** The first of the names that `nameOf` makes of 1, 2, 3, … that none of those taken reads as. */
export function freeName(nameOf: (count: number) => string, taken: readonly string[]): string {
  const there = new Set(taken.map(plain));
  for (let count = 1; ; count += 1) {
    const name = nameOf(count);
    if (!there.has(plain(name))) return name;
  }
}

function plain(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
