import { describe, expect, test } from '@jest/globals';
import { MemoryCounters } from './memory-counters.ts';

describe('MemoryCounters', () => {
  test('counts in windows that the first request begins', async () => {
    let now = 0;
    const counters = new MemoryCounters({ windowMs: 1_000, now: () => now });
    const bucket = { key: 'a', max: 10 };
    expect(await counters.count([bucket])).toEqual([{ hits: 1, resetMs: 1_000 }]);
    now = 400;
    expect(await counters.count([bucket])).toEqual([{ hits: 2, resetMs: 600 }]);
    now = 1_000;
    expect(await counters.count([bucket])).toEqual([{ hits: 1, resetMs: 1_000 }]);
  });

  test('counts nothing behind a bucket that is full', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000, now: () => 0 });
    const full = { key: 'full', max: 0 };
    const behind = { key: 'behind', max: 5 };
    expect(await counters.count([full, behind])).toHaveLength(1);
    expect(await counters.count([behind])).toEqual([{ hits: 1, resetMs: 1_000 }]);
  });

  test('keeps a bounded number of buckets, the youngest', async () => {
    const counters = new MemoryCounters({ windowMs: 1_000, now: () => 0 });
    for (let i = 0; i <= 50_000; i++) await counters.count([{ key: String(i), max: 1 }]);
    expect((await counters.count([{ key: '50000', max: 1 }]))[0]?.hits).toBe(2);
    expect((await counters.count([{ key: '0', max: 1 }]))[0]?.hits).toBe(1);
  });
});
