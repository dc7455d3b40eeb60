import { describe, expect, it } from '@jest/globals';
import { checkFleet, fleetOf, missingFigure } from './fleet.js';

describe('a fleet', () => {
  it('takes what is given over what is set, and says where each figure comes from', () => {
    const fleet = fleetOf({ gpus: 64, busyShare: 0.5, currency: 'USD', pricePerGpuHour: 2 }, { gpus: 128 });
    expect(fleet.figure('gpus')).toEqual({ value: 128, source: 'ARGUMENT' });
    expect(fleet.figure('busyShare')).toEqual({ value: 0.5, source: 'SETTING' });
    expect(fleet.figure('pricePerGpuHour')).toEqual({ value: 2, source: 'SETTING' });
    expect(fleet.figure('hoursPerMonth')).toEqual({ value: 730.5, source: 'DEFAULT' });
    expect(fleet.figure('pue')).toBeNull();
  });

  it('never shows a price in another currency than it was set in', () => {
    const fleet = fleetOf({ gpus: 64, currency: 'USD', pricePerGpuHour: 2, pricePerKwh: 0.1 }, { currency: 'EUR', pricePerKwh: 0.3 });
    expect(fleet.currency).toBe('EUR');
    expect(fleet.figure('pricePerKwh')).toEqual({ value: 0.3, source: 'ARGUMENT' });
    expect(fleet.figure('pricePerGpuHour')).toBeNull();
    expect(fleet.figure('gpus')).toEqual({ value: 64, source: 'SETTING' });
    expect(missingFigure('pricePerGpuHour', fleet).reason.en).toContain('in EUR');
  });

  it('refuses a price without a currency', () => {
    expect(() => fleetOf(null, { pricePerGpuHour: 2 })).toThrow('fleet.pricePerGpuHour is given without fleet.currency');
    expect(() => fleetOf({ currency: 'USD' }, { pricePerGpuHour: 2 })).not.toThrow();
  });

  it.each([
    [{ gpus: 0 }, 'gpus must be above 0'],
    [{ gpus: -1 }, 'gpus must be above 0'],
    [{ busyShare: 1.2 }, 'busyShare must be above 0 and at most 1, and is 1.2'],
    [{ hoursPerMonth: 800 }, 'at most 744'],
    [{ pue: 0.9 }, 'pue must be at least 1 and at most 10'],
    [{ pricePerKwh: -0.1 }, 'pricePerKwh must be at least 0'],
    [{ currency: 'usd' }, 'no code of ISO 4217'],
    [{ currency: 'XYZ' }, 'no code of ISO 4217'],
  ])('refuses %j', (given, message) => {
    expect(() => checkFleet(given, '')).toThrow(message);
  });
}); // prettier-ignore
