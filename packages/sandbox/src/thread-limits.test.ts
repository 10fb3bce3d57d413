import { describe, expect, test } from '@jest/globals';
import { type CallOrigin, slowAfterMs, ThreadLimits } from './thread-limits.ts';

const from = (workflowId: string, nodeName = 'Code', projectId = `of ${workflowId}`): CallOrigin => ({
  projectId,
  workflowId,
  nodeName,
});

/** This many calls of different nodes start and become slow. */
function withSlow(limits: ThreadLimits, count: number, workflowId?: string) {
  return Array.from({ length: count }, (_, i) => {
    const call = limits.begin(from(workflowId ?? `slow ${i}`, `Code ${i}`));
    limits.slowDown(call);
    return call;
  });
}

describe('quick calls', () => {
  test('have fewer threads in a small container', () => {
    const max = (container: number) => new ThreadLimits({ threads: 2, memoryMb: 128, container: container * 1024 ** 2 }).max;
    expect([512, 1024, 2048, 65536].map(max)).toEqual([2, 4, 6, 8]);
  });

  test('can use all threads', () => {
    const limits = new ThreadLimits({ threads: 2, memoryMb: 128 });
    const first = limits.begin(from('a'));
    limits.begin(from('b'));
    expect(limits.mayBegin(from('c'))).toBe(false);
    limits.end(first, 1);
    expect(limits.mayBegin(from('c'))).toBe(true);
  });

  test('run in parallel with slow calls while a thread can be started', () => {
    const limits = new ThreadLimits({ threads: 2, memoryMb: 128 });
    expect(limits.max).toBe(8);
    const slow = withSlow(limits, 7);
    expect(limits.mayBegin(from('quick'))).toBe(true);
    slow.push(...withSlow(limits, 1));
    expect(limits.mayBegin(from('quick'))).toBe(false);
    slow.forEach((call) => void limits.end(call, 10_000));
    expect(limits.mayBegin(from('quick'))).toBe(true);
  });
});

describe('a node whose last call was slow', () => {
  test('does not take threads from quick calls', () => {
    const limits = new ThreadLimits({ threads: 1, memoryMb: 128 });
    limits.end(limits.begin(from('a')), slowAfterMs);
    const again = limits.begin(from('a'));
    expect(again.isSlow).toBe(true);
    expect(limits.mayBegin(from('b'))).toBe(true);
  });

  test('leaves the threads of quick calls free', () => {
    const limits = new ThreadLimits({ threads: 1, memoryMb: 128 });
    for (const id of ['a', 'b', 'c', 'd']) limits.end(limits.begin(from(id)), slowAfterMs);
    for (const id of ['a', 'b', 'c']) limits.begin(from(id));
    expect([limits.mayBegin(from('d')), limits.mayBegin(from('quick'))]).toEqual([false, true]);
  });

  test('is quick again after a quick call', () => {
    const limits = new ThreadLimits({ threads: 1, memoryMb: 128 });
    for (const tookMs of [slowAfterMs, 1]) limits.end(limits.begin(from('a')), tookMs);
    expect(limits.begin(from('a')).isSlow).toBe(false);
  });

  test('includes a node whose call was stopped while slow, but not one whose call was stopped before', () => {
    const limits = new ThreadLimits({ threads: 2, memoryMb: 128 });
    const [stopped] = withSlow(limits, 1, 'a');
    if (stopped) limits.end(stopped, undefined);
    expect(limits.begin(from('a', 'Code 0')).isSlow).toBe(true);
    limits.end(limits.begin(from('b')), undefined);
    expect(limits.begin(from('b')).isSlow).toBe(false);
  });
});

test('a workflow waits when it has as many slow calls as there are threads, but at least two', () => {
  for (const threads of [1, 2, 4]) {
    const most = Math.max(2, threads);
    const limits = new ThreadLimits({ threads, memoryMb: 64 });
    const [first] = withSlow(limits, most, 'a');
    expect([limits.mayBegin(from('a', 'another node')), limits.mayBegin(from('b'))]).toEqual([false, true]);
    if (first) limits.end(first, 10_000);
    expect(limits.mayBegin(from('a', 'another node'))).toBe(true);
  }
});

test('a waiting call needs only a thread unless its node is slow, or its workflow or project has too many slow calls', () => {
  const limits = new ThreadLimits({ threads: 2, memoryMb: 128 });
  limits.end(limits.begin(from('slow')), slowAfterMs);
  withSlow(limits, 2, 'loops');
  const needsOnlyThread = (workflowId: string, projectId?: string) =>
    limits.needsOnlyThread(from(workflowId, 'Code', projectId));
  expect([needsOnlyThread('slow'), needsOnlyThread('loops'), needsOnlyThread('quick')]).toEqual([false, false, true]);
  for (const id of ['a', 'b', 'c', 'd']) limits.slowDown(limits.begin(from(id, 'Code', 'project')));
  expect([needsOnlyThread('e', 'project'), needsOnlyThread('e', 'another')]).toEqual([false, true]);
});

test.each([
  [1, 64],
  [1, 2_048],
  [2, 128],
  [8, 512],
])('looping workflows of one project leave threads to other projects: %d threads of %d MiB', (threads, memoryMb) => {
  for (const isKnownAsSlow of [false, true]) {
    const limits = new ThreadLimits({ threads, memoryMb });
    const origins = Array.from({ length: 20 }, (_, i) => from(`loops ${i}`, 'Code', 'project'));
    if (isKnownAsSlow) for (const origin of origins) limits.end(limits.begin(origin), slowAfterMs);
    let running = 0;
    for (let begun = -1; begun < running; ) {
      begun = running;
      const batch = origins.slice(running).filter((origin) => limits.mayBegin(origin));
      const started = batch.flatMap((origin) => (limits.mayBegin(origin) ? [limits.begin(origin)] : []));
      for (const call of started) if (!call.isSlow) limits.slowDown(call);
      running += started.length;
    }
    expect(running).toBeGreaterThanOrEqual(Math.floor(limits.max / 2));
    expect(running).toBeLessThan(limits.max);
    expect(limits.mayBegin(from('quick'))).toBe(true);
  }
});

test.each([
  [2, 128, 8],
  [2, 16, 8],
  [2, 1_024, 4],
  [8, 128, 16],
])(
  '%d threads of %d MiB may grow to %d: spare threads use at most 1 GiB, or as much as the others',
  (threads, memoryMb, max) => {
    expect(new ThreadLimits({ threads, memoryMb }).max).toBe(max);
  },
);
