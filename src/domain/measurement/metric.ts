export type Direction = 'HIGHER_IS_BETTER' | 'LOWER_IS_BETTER' | 'TARGET';
export type MetricRole = 'PRIMARY' | 'SECONDARY' | 'GUARDRAIL' | 'DIAGNOSTIC';

/** What is measured, and how a change of it is judged. Without a direction it is context and gets no verdict. */
export interface MetricDefinition {
  readonly key: string;
  readonly unit: string;
  readonly dimension: string;
  readonly direction: Direction | null;
  /** The wanted value, in `unit`; only with TARGET. */
  readonly target: number | null;
  /** Counted, not sampled: bytes, kernels, recompiles. */
  readonly isExact: boolean;
  /** The smallest change that matters: a fraction (0.02 is 2 %); with TARGET a distance in `unit`. */
  readonly smallestEffect: number;
  readonly role: MetricRole;
}
