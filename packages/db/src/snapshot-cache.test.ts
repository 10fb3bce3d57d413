import { describe, expect, test } from '@jest/globals';
import { SnapshotCache } from './snapshot-cache.ts';

function set() {
  const world = { snapshot: '1:1:', reads: 0 };
  const cache = new SnapshotCache<{ n: number }>(async () => world.snapshot);
  const read = async () => ({ n: ++world.reads });
  return { world, cache, read };
}

describe('SnapshotCache', () => {
  test('reuses a result until something may have changed, then reads again', async () => {
    const { world, cache, read } = set();
    const first = await cache.get('a', read);
    expect(await cache.get('a', read)).toBe(first);
    world.snapshot = '1:2:';
    expect(await cache.get('a', read)).toEqual({ n: 2 });
  });

  test('keeps results separate for different keys', async () => {
    const { cache, read } = set();
    await cache.get('a', read);
    expect(await cache.get('b', read)).toEqual({ n: 2 });
  });

  test('does not use a read during which something changed for requests after the change', async () => {
    const { world, cache, read } = set();
    await cache.get('a', async () => {
      world.snapshot = '1:2:';
      return read();
    });
    expect(await cache.get('a', read)).toEqual({ n: 2 });
  });

  test('shares a read among equal concurrent requests', async () => {
    const { world, cache, read } = set();
    await Promise.all(Array.from({ length: 50 }, () => cache.get('a', read)));
    expect(world.reads).toBeLessThan(4);
  });
});
