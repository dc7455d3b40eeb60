import type { BothLanguages } from '../locale.js';
import { asLoss } from '../report/figures.js';
import { claimOf, verdictText } from '../report/words.js';
import type { ArmsComparison, ComparedRow } from './compare-arms.js';
import { exitCodes, type GateResult } from './gate.js';
import type { ArmName, ArmReading, FileProblem } from './read-arm.js';

/** Raised when a field changes its meaning or goes; new fields may come without. */
export const COMPARISON_FORMAT = 'tunebook-comparison/1';

/**
 * A comparison as JSON for programs. Fractions are fractions (0.02 is 2 %), plus is better, values are in the unit of the
 * row, and what cannot be said is null. Gains that count are at least `threshold` or at most `thresholdLoss`. Enums are
 * those of the GraphQL API.
 */
export function comparisonJson(
  comparison: ArmsComparison,
  arms: Readonly<Record<ArmName, ArmReading>> | null,
  problems: readonly FileProblem[],
  gate: GateResult | null,
) {
  const { verdict, evidence, isConfounded, nBefore, nAfter, primary, primaryFrom, guardrails, familySize } = comparison;
  return {
    format: COMPARISON_FORMAT,
    verdict,
    verdictText: verdictText(verdict, claimOf(comparison)),
    evidence,
    isConfounded,
    nBefore,
    nAfter,
    primary,
    primaryFrom,
    guardrails,
    /** How many rows the correction of p is over. */
    familySize,
    files: { before: arms?.BEFORE.files ?? [], after: arms?.AFTER.files ?? [] },
    rows: comparison.rows.map(rowJson),
    differences: comparison.differences.map(({ isDeclared, ...difference }) => ({
      ...difference,
      declared: isDeclared,
    })),
    oneSided: comparison.oneSided,
    problems,
    gate: gate && gateJson(gate),
  };
}

/** Where there is nothing to compare: no verdict, and why. */
export function nothingJson(reason: BothLanguages, problems: readonly FileProblem[], gate: GateResult | null) {
  return {
    format: COMPARISON_FORMAT,
    verdict: null,
    reason,
    rows: [],
    problems,
    gate: gate && gateJson(gate),
  };
}

function gateJson({ outcome, reasons }: GateResult) {
  return { outcome, exitCode: exitCodes[outcome], reasons };
}

function rowJson({ metric, role, dimensions, result, adjustedP, warnings }: ComparedRow) {
  const { warnings: _w, differences: _d, ...numbers } = result;
  return {
    metric: metric.key,
    unit: metric.unit,
    direction: metric.direction,
    role,
    dimensions,
    ...numbers,
    thresholdLoss: metric.direction === 'TARGET' ? null : asLoss(result.threshold),
    adjustedP,
    verdictText: verdictText(result.verdict, claimOf(result)),
    warnings: warnings.map(({ code, details, text }) => ({ code, details, message: text })),
  };
}
