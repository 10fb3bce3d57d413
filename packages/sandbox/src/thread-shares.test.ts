import { describe, expect, test } from '@jest/globals';
import { type CallOrigin, slowAfterMs, ThreadShares } from './thread-shares.ts';

const from = (workflowId: string, nodeName = 'Code', projectId = `of ${workflowId}`): CallOrigin => ({
  projectId,
  workflowId,
  nodeName,
});

/** This many calls of different nodes start and become slow. */
function withSlow(shares: ThreadShares, count: number, workflowId?: string) {
  return Array.from({ length: count }, (_, i) => {
    const share = shares.begin(from(workflowId ?? `slow ${i}`, `Code ${i}`));
    shares.slowDown(share);
    return share;
  });
}

describe('quick calls', () => {
  test('have fewer threads in a small container', () => {
    const max = (container: number) => new ThreadShares({ threads: 2, memoryMb: 128, container: container * 1024 ** 2 }).max;
    expect([512, 1024, 2048, 65536].map(max)).toEqual([2, 4, 6, 8]);
  });

  test('can use all threads', () => {
    const shares = new ThreadShares({ threads: 2, memoryMb: 128 });
    const first = shares.begin(from('a'));
    shares.begin(from('b'));
    expect(shares.mayBegin(from('c'))).toBe(false);
    shares.end(first, 1);
    expect(shares.mayBegin(from('c'))).toBe(true);
  });

  test('run in parallel with slow calls while a thread can be started', () => {
    const shares = new ThreadShares({ threads: 2, memoryMb: 128 });
    expect(shares.max).toBe(8);
    const slow = withSlow(shares, 7);
    expect(shares.mayBegin(from('quick'))).toBe(true);
    slow.push(...withSlow(shares, 1));
    expect(shares.mayBegin(from('quick'))).toBe(false);
    slow.forEach((share) => void shares.end(share, 10_000));
    expect(shares.mayBegin(from('quick'))).toBe(true);
  });
});

describe('a node whose last call was slow', () => {
  test('does not take threads from quick calls', () => {
    const shares = new ThreadShares({ threads: 1, memoryMb: 128 });
    shares.end(shares.begin(from('a')), slowAfterMs);
    const again = shares.begin(from('a'));
    expect(again.isSlow).toBe(true);
    expect(shares.mayBegin(from('b'))).toBe(true);
  });

  test('leaves the threads of quick calls free', () => {
    const shares = new ThreadShares({ threads: 1, memoryMb: 128 });
    for (const id of ['a', 'b', 'c', 'd']) shares.end(shares.begin(from(id)), slowAfterMs);
    for (const id of ['a', 'b', 'c']) shares.begin(from(id));
    expect([shares.mayBegin(from('d')), shares.mayBegin(from('quick'))]).toEqual([false, true]);
  });

  test('is quick again after a quick call', () => {
    const shares = new ThreadShares({ threads: 1, memoryMb: 128 });
    for (const tookMs of [slowAfterMs, 1]) shares.end(shares.begin(from('a')), tookMs);
    expect(shares.begin(from('a')).isSlow).toBe(false);
  });

  test('includes a node whose call was stopped while slow, but not one whose call was stopped before', () => {
    const shares = new ThreadShares({ threads: 2, memoryMb: 128 });
    const [stopped] = withSlow(shares, 1, 'a');
    if (stopped) shares.end(stopped, undefined);
    expect(shares.begin(from('a', 'Code 0')).isSlow).toBe(true);
    shares.end(shares.begin(from('b')), undefined);
    expect(shares.begin(from('b')).isSlow).toBe(false);
  });
});

test('a workflow waits when it has as many slow calls as there are threads, but at least two', () => {
  for (const threads of [1, 2, 4]) {
    const most = Math.max(2, threads);
    const shares = new ThreadShares({ threads, memoryMb: 64 });
    const [first] = withSlow(shares, most, 'a');
    expect([shares.mayBegin(from('a', 'another node')), shares.mayBegin(from('b'))]).toEqual([false, true]);
    if (first) shares.end(first, 10_000);
    expect(shares.mayBegin(from('a', 'another node'))).toBe(true);
  }
});

test.each([
  [1, 64],
  [1, 2_048],
  [2, 128],
  [8, 512],
])('looping workflows of one project leave threads to other projects: %d threads of %d MiB', (threads, memoryMb) => {
  for (const isKnownAsSlow of [false, true]) {
    const shares = new ThreadShares({ threads, memoryMb });
    const origins = Array.from({ length: 20 }, (_, i) => from(`loops ${i}`, 'Code', 'project'));
    if (isKnownAsSlow) for (const origin of origins) shares.end(shares.begin(origin), slowAfterMs);
    let running = 0;
    for (let begun = -1; begun < running; ) {
      begun = running;
      const batch = origins.slice(running).filter((origin) => shares.mayBegin(origin));
      const started = batch.flatMap((origin) => (shares.mayBegin(origin) ? [shares.begin(origin)] : []));
      for (const share of started) if (!share.isSlow) shares.slowDown(share);
      running += started.length;
    }
    expect(running).toBeGreaterThanOrEqual(Math.floor(shares.max / 2));
    expect(running).toBeLessThan(shares.max);
    expect(shares.mayBegin(from('quick'))).toBe(true);
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
    expect(new ThreadShares({ threads, memoryMb }).max).toBe(max);
  },
);
