import type { ComparisonWarning } from './compare.js';

/** What a reviewer said over differences that forbid a comparison. The reason stays with every comparison made by it. */
export interface Override {
  readonly reason: string;
  /** The name of whoever said it. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Says who overrode which differences, when and why; nothing where none of them forbids the comparison. */
export function overriddenWarning(
  blocking: ComparisonWarning | null,
  override: Override | null,
): readonly ComparisonWarning[] {
  if (!blocking || !override) return [];
  const { reason, by, at } = override;
  return [{ code: 'OVERRIDDEN', details: { keys: blocking.details['keys'], reason, by, at } }];
}
