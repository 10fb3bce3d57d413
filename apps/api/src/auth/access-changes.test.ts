import { describe, expect, test } from '@jest/globals';
import type { AccessChanges } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { AccessSignals, AccessWatch } from './access-changes.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

function setUp() {
  const state = {
    now: 0,
    changes: (): AccessChanges => ({ version: '1', userIds: [] }),
    requestedVersions: [] as (string | undefined)[],
  };
  const reported: (readonly string[])[] = [];
  const since = async (version: string | undefined) => {
    state.requestedVersions.push(version);
    return state.changes();
  };
  const watch = new AccessWatch({ accessChanges: { since }, logger, now: () => state.now });
  return { state, reported, watch, onChange: (ids: readonly string[]) => void reported.push(ids) };
}

describe('AccessWatch', () => {
  test('is fresh for a second after the start of its query, and continues from its last position', async () => {
    const { state, watch } = setUp();
    expect(watch.fresh).toBe(false);
    await watch.poll();
    state.now = 999;
    expect(watch.fresh).toBe(true);
    state.now = 1_000;
    expect(watch.fresh).toBe(false);
    await watch.poll();
    expect(state.requestedVersions).toEqual([undefined, '1']);
  });

  test('measures the age of a slow result from the start of its query', async () => {
    const { state, watch } = setUp();
    state.changes = () => {
      state.now = 900;
      return { version: '1', userIds: [] };
    };
    await watch.poll();
    state.now = 1_000;
    expect(watch.fresh).toBe(false);
  });

  test('reports each change once, and its own start because earlier changes are unknown', async () => {
    const { state, reported, watch, onChange } = setUp();
    watch.start(onChange);
    await Promise.resolve();
    watch.close();
    state.changes = () => ({ version: '3', userIds: ['a', 'b'] });
    await watch.poll();
    state.changes = () => ({ version: '3', userIds: [] });
    await watch.poll();
    expect(reported).toEqual([[], ['a', 'b']]);
    expect(state.requestedVersions.at(-1)).toBe('3');
  });

  test('stays stale during a database outage', async () => {
    const { state, watch } = setUp();
    state.changes = () => {
      throw new Error('away');
    };
    await expect(watch.poll()).rejects.toThrow('away');
    expect(watch.fresh).toBe(false);
  });
});

describe('AccessSignals', () => {
  test('clears the cache of this process immediately and notifies other processes', () => {
    const forgotten: string[] = [];
    const published: string[] = [];
    const signals = new AccessSignals({
      forget: (ids) => void forgotten.push(...ids),
      channel: { publish: async (ids) => void published.push(...ids) },
      logger,
    });
    signals.changed(['u']);
    expect([forgotten, published]).toEqual([['u'], ['u']]);
  });

  test('fails no request during a Redis outage: other processes read the change from the database', async () => {
    const channel = { publish: () => Promise.reject(new Error('away')) };
    const signals = new AccessSignals({ forget: () => undefined, channel, logger });
    expect(() => signals.changed(['u'])).not.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
  });
});
