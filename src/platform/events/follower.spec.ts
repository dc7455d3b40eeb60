import { describe, expect, it } from '@jest/globals';
import { Follower } from './follower.js';

const follower = (): Follower => new Follower(() => undefined);

describe('Follower', () => {
  it('gives what was told before and what is told while it waits', async () => {
    const one = follower();
    one.tell({ kind: 'CHANGED', itemIds: ['a'] });
    expect(await one.next()).toEqual({ done: false, value: { kind: 'CHANGED', itemIds: ['a'] } });
    const waiting = one.next();
    one.tell({ kind: 'CHANGED', itemIds: [] });
    expect(await waiting).toEqual({ done: false, value: { kind: 'CHANGED', itemIds: [] } });
  });

  it('joins what comes while its reader is busy', async () => {
    const one = follower();
    one.tell({ kind: 'CHANGED', itemIds: ['a', 'b'] });
    one.tell({ kind: 'CHANGED', itemIds: ['b', 'c'] });
    expect(await one.next()).toEqual({ done: false, value: { kind: 'CHANGED', itemIds: ['a', 'b', 'c'] } });
  });

  it('names no items once they are more than a hundred, or unknown', async () => {
    const many = follower();
    for (let index = 0; index <= 100; index++) many.tell({ kind: 'CHANGED', itemIds: [String(index)] });
    expect(await many.next()).toEqual({ done: false, value: { kind: 'CHANGED', itemIds: null } });
    const missed = follower();
    missed.tell({ kind: 'MISSED', itemIds: null });
    missed.tell({ kind: 'CHANGED', itemIds: ['a'] });
    expect(await missed.next()).toEqual({ done: false, value: { kind: 'MISSED', itemIds: null } });
  });

  it('ends while somebody waits, says so once, and takes no more', async () => {
    let left = 0;
    const one = new Follower(() => (left += 1));
    const waiting = one.next();
    await one.return();
    await one.return();
    one.tell({ kind: 'CHANGED', itemIds: [] });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await one.next()).toEqual({ done: true, value: undefined });
    expect(left).toBe(1);
  });
});
