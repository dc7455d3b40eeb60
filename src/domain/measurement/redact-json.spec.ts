import { describe, expect, it } from '@jest/globals';
import { redactChanged, redactSettings } from './redact-json.js';

const token = 'hf_abcdefghijklmnopqrstuvwx';

describe('redactSettings', () => {
  it.each([
    [{ 'env.HF_TOKEN': token, NCCL_ALGO: 'Ring' }, { 'env.HF_TOKEN': '[redacted]', NCCL_ALGO: 'Ring' }],
    [{ 'env.HF_TOKEN': { before: 'a', after: token } }, { 'env.HF_TOKEN': { before: '[redacted]', after: '[redacted]' } }],
    [{ batch: { before: 8, after: [16, 32] }, on: true, no: null }, { batch: { before: 8, after: [16, 32] }, on: true, no: null }],
    [{ env: { API_KEY: 'x' } }, { env: { API_KEY: '[redacted]' } }],
    [null, null],
    ['text', 'text'],
  ])('makes of %j %j', (json, expected) => {
    expect(redactSettings(json)).toEqual(expected);
  }); // prettier-ignore

  it('marks tokens inside values, and changes nothing the second time', () => {
    const once = redactSettings({ args: `--key ${token}`, list: [`x ${token}`], 'host.name': 'gpu-7.corp' });
    expect(JSON.stringify(once)).not.toMatch(/hf_abc|gpu-7/);
    expect(redactSettings(once)).toEqual(once);
  });
});

describe('redactChanged', () => {
  it('cleans facts, settings and commands wherever they stand', () => {
    expect(redactChanged('facts', { 'env.HF_TOKEN': token, torch: '2.8' })).toEqual({
      'env.HF_TOKEN': '[redacted]',
      torch: '2.8',
    });
    expect(redactChanged('created', { facts: { 'env.HF_TOKEN': token }, runs: [{ command: `run --token=${token}` }] })).toEqual({
      facts: { 'env.HF_TOKEN': '[redacted]' },
      runs: [{ command: 'run --token=[redacted]' }],
    }); // prettier-ignore
  });

  it('leaves texts of people and ids as they are', () => {
    const after = { remark: 'Ask ada@example.org', id: '0190aaaa-0000-7000-8000-000000000001', list: ['10.0.0.7'] };
    expect(redactChanged('created', after)).toEqual(after);
    expect(redactChanged('remark', 'from 10.0.0.7')).toBe('from 10.0.0.7');
  });
});
