import { describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { HoldKeeper, sourceLeaseMs } from './hold-keeper.ts';

const silent = createLogger({ name: 'test', level: 'silent' });

function aKeeper(valid: ReadonlySet<string> = new Set(['a', 'b'])) {
  const time = { now: 0 };
  const queries: [verb: string, ids: readonly string[]][] = [];
  const state = { valid, isAway: false };
  const response = (verb: string) => async (ids: readonly string[]) => {
    if (state.isAway) throw new Error('away');
    queries.push([verb, ids]);
    return new Set(ids.filter((id) => state.valid.has(id)));
  };
  const triggerSources = { renew: response('renew'), findValid: response('findValid') };
  const renewed = { at: Number.NEGATIVE_INFINITY };
  const holds = new HoldKeeper({ triggerSources, logger: silent, renewedAt: () => renewed.at, now: () => time.now });
  return { holds, time, queries, state, renewed };
}

describe('the holds of a worker', () => {
  test('are renewed in one statement every three seconds, and checked in between', async () => {
    const { holds, time, queries } = aKeeper();
    holds.add('a');
    holds.add('b');
    for (time.now = 0; time.now <= 4_000; time.now += 1_000) await holds.beat();
    expect(queries.map(([verb]) => verb)).toEqual(['renew', 'findValid', 'findValid', 'renew', 'findValid']);
    expect(queries[0]?.[1]).toEqual(['a', 'b']);
  });

  test('need no query if there are none', async () => {
    const { holds, queries } = aKeeper();
    await holds.beat();
    expect(queries).toEqual([]);
  });

  test('fire a signal only when they are lost', async () => {
    const { holds } = aKeeper(new Set(['b']));
    const [a, b] = [holds.add('a'), holds.add('b')];
    await holds.beat();
    expect([a.aborted, b.aborted]).toEqual([true, false]);
    expect(a.reason).toMatchObject({ code: 'TRIGGER_CLOSED' });
  });

  test('are released before their lease ends if the database is unreachable', async () => {
    const { holds, time, state } = aKeeper();
    const signal = holds.add('a');
    await holds.beat();
    state.isAway = true;
    time.now = sourceLeaseMs - 2_500;
    await expect(holds.beat()).rejects.toThrow('away');
    holds.expire();
    expect(signal.aborted).toBe(false);
    time.now = sourceLeaseMs - 1_500;
    holds.expire();
    expect(signal.aborted).toBe(true);
  });

  test('survive a blocked event loop if the thread renewed them', async () => {
    const { holds, time, renewed } = aKeeper();
    const signal = holds.add('a');
    time.now = 3 * sourceLeaseMs;
    renewed.at = time.now - 3_000;
    holds.expire();
    expect(signal.aborted).toBe(false);
    time.now = renewed.at + sourceLeaseMs;
    holds.expire();
    expect(signal.aborted).toBe(true);
  });
});
