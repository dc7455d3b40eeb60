import type { PlannableItem } from '../../src/domain/audit/plan.js';

let count = 0;

/** An open item of a plan that works on the computation, of which nothing is known but what is given. */
export const plannable = (key: string, of: Partial<PlannableItem> = {}): PlannableItem => ({
  id: `id-${key}`,
  key,
  position: (count += 1),
  title: { en: `The ${key}`, zh: `条目 ${key}` },
  applies: 'YES',
  appliesReasons: [],
  work: 'TODO',
  outcome: 'NOT_ASSESSED',
  hasRecheck: false,
  expiresAt: null,
  bottleneck: 'compute',
  effort: 'S',
  metric: 'training.step_time',
  threshold: 0.02,
  stated: [],
  requires: [],
  trials: [],
  notes: [],
  ...of,
});
