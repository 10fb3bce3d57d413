import { describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { SourceLeaseKeeper, sourceLeaseMs } from './source-lease-keeper.ts';

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
  const leases = new SourceLeaseKeeper({ triggerSources, logger: silent, renewedAt: () => renewed.at, now: () => time.now });
  return { leases, time, queries, state, renewed };
}

describe('the leases of a worker', () => {
  test('are renewed in one statement every three seconds, and checked in between', async () => {
    const { leases, time, queries } = aKeeper();
    leases.add('a');
    leases.add('b');
    for (time.now = 0; time.now <= 4_000; time.now += 1_000) await leases.beat();
    expect(queries.map(([verb]) => verb)).toEqual(['renew', 'findValid', 'findValid', 'renew', 'findValid']);
    expect(queries[0]?.[1]).toEqual(['a', 'b']);
  });

  test('need no query if there are none', async () => {
    const { leases, queries } = aKeeper();
    await leases.beat();
    expect(queries).toEqual([]);
  });

  test('fire a signal only when they are lost', async () => {
    const { leases } = aKeeper(new Set(['b']));
    const [a, b] = [leases.add('a'), leases.add('b')];
    await leases.beat();
    expect([a.aborted, b.aborted]).toEqual([true, false]);
    expect(a.reason).toMatchObject({ code: 'TRIGGER_CLOSED' });
  });

  test('are released before their lease ends if the database is unreachable', async () => {
    const { leases, time, state } = aKeeper();
    const signal = leases.add('a');
    await leases.beat();
    state.isAway = true;
    time.now = sourceLeaseMs - 2_500;
    await expect(leases.beat()).rejects.toThrow('away');
    leases.expire();
    expect(signal.aborted).toBe(false);
    time.now = sourceLeaseMs - 1_500;
    leases.expire();
    expect(signal.aborted).toBe(true);
  });

  test('survive a blocked event loop if the thread renewed them', async () => {
    const { leases, time, renewed } = aKeeper();
    const signal = leases.add('a');
    time.now = 3 * sourceLeaseMs;
    renewed.at = time.now - 3_000;
    leases.expire();
    expect(signal.aborted).toBe(false);
    time.now = renewed.at + sourceLeaseMs;
    leases.expire();
    expect(signal.aborted).toBe(true);
  });
});
