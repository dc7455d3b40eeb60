import type { EnvironmentKeyEntry, HardwareFile } from './schema.js';

/** A key of environment-keys.yaml with what the file may leave out. */
export function environmentKeyOf({ unit, values, closed, least, ...key }: EnvironmentKeyEntry) {
  return {
    ...key,
    unit: unit ?? null,
    values: (values ?? []).map(({ value, also }) => ({ value, also: also ?? [] })),
    isClosed: closed ?? false,
    least: least ?? null,
  };
}

/** The profiles of a file of hardware/ with what it may leave out, without their sources. */
export function profilesOf({ vendor, profiles }: HardwareFile) {
  return profiles.map(({ slug, name, architecture, capabilities, facts, generic, printed }) => ({
    slug,
    vendor,
    name,
    architecture,
    capabilities,
    facts,
    isGeneric: generic ?? false,
    printed: printed ?? [],
  }));
}
