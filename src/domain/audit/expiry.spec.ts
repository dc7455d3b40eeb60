import { describe, expect, it } from '@jest/globals';
import { expiredCause } from './expiry.js';

const expiresAt = new Date('2026-12-24T18:00:00Z');

describe('expiredCause', () => {
  it('names the date and the reason as it was given, on one line', () => {
    expect(expiredCause({ outcome: 'DEFERRED', expiresAt, reason: 'the driver\n\nis frozen' })).toEqual({
      en: 'deferred until 2026-12-24: the driver is frozen',
      zh: '推迟至 2026-12-24，现已到期：the driver is frozen',
    });
    expect(expiredCause({ outcome: 'REJECTED', expiresAt, reason: null })).toEqual({
      en: 'rejected until 2026-12-24',
      zh: '否决有效期至 2026-12-24，现已到期',
    });
  });

  it('cuts a long reason between characters', () => {
    const { en } = expiredCause({ outcome: 'DEFERRED', expiresAt, reason: '🐢'.repeat(400) });
    expect(en).toBe(`deferred until 2026-12-24: ${'🐢'.repeat(300)} …`);
  });
});
