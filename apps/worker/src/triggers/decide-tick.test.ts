import { describe, expect, test } from '@jest/globals';
import type { DueTick } from '@sluice/db';
import type { ScheduleTrigger } from '@sluice/domain';
import { decideTick } from './decide-tick.ts';

const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const spec: ScheduleTrigger = {
  kind: 'schedule',
  rules: [{ every: 'minutes', count: 10 }],
  misfire: 'skip',
  graceMs: 60_000,
  overlap: 'allow',
};

function decide(
  changes: Partial<Omit<DueTick, 'spec'>> & { spec?: Partial<ScheduleTrigger> } = {},
  fullProjects: string[] = [],
) {
  const due = { id: '1', workflowId: 'w', projectId: 'p', nodeName: 'Clock', state: {}, since: at('00:00:00') };
  const base = { ...due, tick: at('10:00:00'), now: at('10:00:00.010'), busy: false, failures: 0 };
  return decideTick({ ...base, ...changes, spec: { ...spec, ...changes.spec } }, { timezone: 'UTC', fullProjects });
}

const startAt = (time: string) => ({ trigger: { node: 'Clock', items: [{ json: { timestamp: `2026-11-20T${time}.000Z` } }] } });

test('a tick starts an execution at its node and determines the next tick', async () => {
  expect(await decide()).toEqual({ nextAt: at('10:10:00'), state: {}, start: startAt('10:00:00') });
});

test('a late tick within the grace period is not skipped', async () => {
  expect(await decide({ now: at('10:00:59') })).toMatchObject({ nextAt: at('10:10:00'), start: startAt('10:00:00') });
});

describe('missed ticks', () => {
  const late = { now: at('12:34:56') };

  test('are skipped, and the next tick is in the future', async () => {
    expect(await decide(late)).toEqual({
      nextAt: at('12:40:00'),
      state: { lastSkip: { at: '2026-11-20T10:00:00.000Z', reason: 'missed' } },
    });
  });

  test('start one execution for the last missed tick', async () => {
    expect(await decide({ ...late, spec: { misfire: 'once' } })).toEqual({
      nextAt: at('12:40:00'),
      state: {},
      start: startAt('12:30:00'),
    });
  });
});

describe('while the previous execution has not ended', () => {
  test('a tick starts another execution', async () => {
    expect((await decide({ busy: true })).start).toBeDefined();
  });

  test('a tick is skipped, and the skip is recorded', async () => {
    expect(await decide({ busy: true, spec: { overlap: 'skip' } })).toEqual({
      nextAt: at('10:10:00'),
      state: { lastSkip: { at: '2026-11-20T10:00:00.000Z', reason: 'overlap' } },
    });
  });

  test('a tick is held', async () => {
    expect(await decide({ busy: true, spec: { overlap: 'queue' } })).toEqual({
      nextAt: at('10:00:00'),
      retryAt: at('10:00:00.510'),
      state: { queueing: true },
    });
  });
});

describe('a held tick', () => {
  const queued = { spec: { overlap: 'queue' as const }, state: { queueing: true } };

  test('is not missed, no matter how late', async () => {
    expect(await decide({ ...queued, now: at('10:09:00') })).toEqual({
      nextAt: at('10:10:00'),
      state: {},
      start: startAt('10:00:00'),
    });
  });

  test('is followed by ticks that have become due in the meantime', async () => {
    expect(await decide({ ...queued, now: at('10:35:00') })).toEqual({
      nextAt: at('10:10:00'),
      state: { queueing: true },
      start: startAt('10:00:00'),
    });
  });
});

test('a tick of a project with a full queue is skipped, and the skip is recorded', async () => {
  const { start, state } = await decide({}, ['p']);
  expect([start, state.lastSkip?.reason]).toEqual([undefined, 'queueFull']);
});

test('an invalid schedule is retried after increasing pauses', async () => {
  const wrong = { spec: { rules: [{ cron: 'x' }] } };
  expect(await decide(wrong)).toMatchObject({
    nextAt: at('10:00:00'),
    retryAt: at('10:00:01.010'),
    error: expect.stringContaining('"x"'),
  });
  expect((await decide({ ...wrong, failures: 3 })).retryAt).toBe(at('10:00:08.010'));
  expect((await decide({ ...wrong, failures: 50 })).retryAt).toBe(at('11:00:00.010'));
});
