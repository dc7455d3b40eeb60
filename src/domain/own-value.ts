/** What a table says of a name that a file or a person gave: `constructor` and `__proto__` are names like any other. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
