import { describe, expect, it } from '@jest/globals';
import { expectationOf, type MeasuredEffect } from './expectation.js';

const effect: MeasuredEffect = {
  metric: 'training.step_time',
  gain: 0.1234,
  gainLow: 0.08,
  gainHigh: 1.5,
  verdict: 'IMPROVED',
  evidence: 'STATISTICAL',
};

describe('expectationOf', () => {
  it('says in English what was measured, with interval and evidence', () => {
    expect(expectationOf({ title: 'TF32', outcome: 'HELPED', locale: 'EN' }, [effect])).toBe(
      'Note "TF32": it helped; training.step_time: gain +12.3 % (95 % interval +8.00 % to +150 %, IMPROVED, STATISTICAL)',
    );
  });

  it('says it in Chinese for a Chinese note', () => {
    const loss = { ...effect, gain: -0.05, gainLow: null, gainHigh: null, verdict: 'REGRESSED' } as const;
    expect(expectationOf({ title: '启用 TF32', outcome: 'HURT', locale: 'ZH' }, [loss])).toBe(
      '笔记“启用 TF32”：变差；training.step_time：收益 −5.00 % (REGRESSED, STATISTICAL)',
    );
  });

  it('gives no figure where there is none', () => {
    const none = { ...effect, gain: null, verdict: 'NOT_COMPARABLE', evidence: 'NONE' } as const;
    expect(expectationOf({ title: 'x', outcome: 'INCONCLUSIVE', locale: 'EN' }, [none])).toBe(
      'Note "x": it was not settled; training.step_time (NOT_COMPARABLE, NONE)',
    );
    expect(expectationOf({ title: 'x', outcome: 'NEUTRAL', locale: 'EN' }, [])).toBe('Note "x": it made no difference');
  });
});
