import { describe, expect, it } from '@jest/globals';
import { missingKeys } from './missing-facts.js';

describe('missingKeys', () => {
  it('counts the items that hang on each key, the most first, then by name', () => {
    const answers = [['torch', 'driver'], ['driver'], [], ['nodes.count', 'driver'], ['torch'], ['cuda']];
    expect(missingKeys(answers.map((missing) => ({ missing })))).toEqual([
      { key: 'driver', itemCount: 3 },
      { key: 'torch', itemCount: 2 },
      { key: 'cuda', itemCount: 1 },
      { key: 'nodes.count', itemCount: 1 },
    ]);
  });

  it('is empty where every answer is settled', () => {
    expect(missingKeys([])).toEqual([]);
    expect(missingKeys([{ missing: [] }, { missing: [] }])).toEqual([]);
  });
});
