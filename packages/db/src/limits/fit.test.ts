import { describe, expect, test } from '@jest/globals';
import { fitBlocked, fitClaims } from './fit.ts';
import type { LimitedExecution, LimitState } from './limit-state.ts';

const aLimit = (id: number, changes: Partial<LimitState> = {}): LimitState => ({
  id,
  kind: 'workflow',
  maxRunning: 2,
  perSecond: null,
  whenFull: 'queue',
  running: 0,
  unblocked: 0,
  isBlocking: false,
  recent: 0,
  ...changes,
});
const anExecution = (id: number, limitIds: number[], changes: Partial<LimitedExecution> = {}): LimitedExecution => ({
  executionId: String(id),
  attempt: 1,
  parentId: null,
  hasStarted: false,
  workerId: null,
  countsFor: [],
  blockedBy: null,
  isForOthers: false,
  limitIds,
  ...changes,
});
const aState = (limits: LimitState[], executions: LimitedExecution[]) => ({
  at: '',
  limits: new Map(limits.map((limit) => [limit.id, limit])),
  executions,
});
/** `claimed`, `unblocked`, or another outcome with the ID of the limit. */
const summarize = (decisions: ReturnType<typeof fitClaims>) =>
  decisions.map((decision) => decision && ('limit' in decision ? `${decision.kind} ${decision.limit.id}` : decision.kind));
const claims = (limits: LimitState[], ...executions: LimitedExecution[]) =>
  summarize(fitClaims(aState(limits, executions), 'me'));
const unblocked = (limits: LimitState[], ...executions: LimitedExecution[]) =>
  summarize(fitBlocked(aState(limits, executions)));

describe('claims', () => {
  test('use the capacity that running and unblocked executions leave', () => {
    const limit = aLimit(1, { maxRunning: 4, running: 1, unblocked: 1 });
    expect(claims([limit], ...[1, 2, 3].map((id) => anExecution(id, [1])))).toEqual(['claimed', 'claimed', 'blocked 1']);
  });

  test('of unblocked executions use the capacity reserved for them', () => {
    const limit = aLimit(1, { running: 1, unblocked: 1, isBlocking: true });
    expect(claims([limit], anExecution(1, [1]), anExecution(2, [1], { countsFor: [1] }))).toEqual(['blocked 1', 'claimed']);
  });

  test('of unblocked executions are blocked by a limit that was lowered since', () => {
    expect(claims([aLimit(1, { running: 2, unblocked: 1 })], anExecution(1, [1], { countsFor: [1] }))).toEqual(['blocked 1']);
  });

  test('need capacity in all limits, and use no capacity if one limit is full', () => {
    const [full, free] = [aLimit(1, { running: 2 }), aLimit(2, { maxRunning: 1 })];
    expect(claims([full, free], anExecution(1, [1, 2]), anExecution(2, [2]))).toEqual(['blocked 1', 'claimed']);
  });

  test('count starts within the last second', () => {
    const limit = aLimit(1, { maxRunning: null, perSecond: 3, recent: 2 });
    expect(claims([limit], anExecution(1, [1]), anExecution(2, [1]))).toEqual(['claimed', 'blocked 1']);
  });

  test('with `skip` skip starts and retries, but not executions that ran before or were unblocked', () => {
    const limit = aLimit(1, { running: 2, unblocked: 1, whenFull: 'skip' });
    const executions = [
      anExecution(1, [1]),
      anExecution(2, [1], { hasStarted: true }),
      anExecution(3, [1], { countsFor: [1] }),
    ];
    expect(claims([limit], ...executions)).toEqual(['skipped 1', 'blocked 1', 'blocked 1']);
  });

  test('count once if they are repeated', () => {
    const limit = aLimit(1, { running: 1 });
    expect(claims([limit], anExecution(1, [1], { workerId: 'me' }), anExecution(2, [1]))).toEqual(['claimed', 'claimed']);
  });

  test('of executions of other workers are rejected', () => {
    const others = [{ workerId: 'other' }, { isForOthers: true }, { blockedBy: 1 }];
    expect(claims([aLimit(1)], ...others.map((changes, id) => anExecution(id, [1], changes)))).toEqual(
      Array(3).fill(undefined),
    );
  });
});

describe('blocked executions', () => {
  test('are unblocked in addition to executions that were unblocked earlier', () => {
    const limit = aLimit(1, { maxRunning: 3, running: 1, unblocked: 1, isBlocking: true });
    expect(unblocked([limit], ...[1, 2].map((id) => anExecution(id, [1], { blockedBy: 1 })))).toEqual(['unblocked', undefined]);
  });

  test('move to the limit that blocks them now, or are skipped', () => {
    const limits = [aLimit(1), aLimit(2, { running: 2 }), aLimit(3, { running: 2, whenFull: 'skip' })];
    const executions = [anExecution(1, [1, 2], { blockedBy: 1 }), anExecution(2, [1, 3], { blockedBy: 1 })];
    expect(unblocked(limits, ...executions)).toEqual(['blocked 2', 'skipped 3']);
  });

  test('are not skipped if they waited before their limit was changed to `skip`', () => {
    expect(unblocked([aLimit(1, { running: 2, whenFull: 'skip' })], anExecution(1, [1], { blockedBy: 1 }))).toEqual([
      undefined,
    ]);
  });

  test('are unblocked if no limit applies to them anymore', () => {
    expect(unblocked([], anExecution(1, [], { blockedBy: 1 }))).toEqual(['unblocked']);
  });
});
