import { describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { KeyUsage } from './key-usage.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

function setUp() {
  const state = { now: 0, fails: false };
  const written: (readonly string[])[] = [];
  const touch = async (ids: readonly string[]) => {
    if (state.fails) throw new Error('away');
    written.push(ids);
  };
  return { state, written, usage: new KeyUsage({ apiKeys: { touch }, logger, now: () => state.now }) };
}

describe('KeyUsage', () => {
  test('writes many uses of many keys in one statement, and each key once a minute', async () => {
    const { state, written, usage } = setUp();
    for (const id of ['a', 'b', 'a', 'a']) usage.note(id);
    await usage.flush();
    state.now = 59_999;
    usage.note('a');
    await usage.flush();
    expect(written).toEqual([['a', 'b']]);
    state.now = 60_000;
    usage.note('a');
    await usage.flush();
    expect(written).toEqual([['a', 'b'], ['a']]);
  });

  test('no request fails during a database outage', async () => {
    const { state, usage } = setUp();
    state.fails = true;
    usage.note('a');
    await expect(usage.flush()).resolves.toBeUndefined();
  });
});
