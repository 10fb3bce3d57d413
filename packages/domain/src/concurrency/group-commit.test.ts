import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { UnavailableError } from '../errors.ts';
import { GroupCommit } from './group-commit.ts';

/** A writer that records its groups and whose replies the test controls. */
function controlledWriter() {
  const groups: number[][] = [];
  const releases: (() => void)[] = [];
  const write = (inputs: number[]) => {
    groups.push(inputs);
    return new Promise<number[]>((resolve) => releases.push(() => resolve(inputs.map((n) => n * 10))));
  };
  return { groups, releases, write };
}
/** Waits enough turns of the event loop for a group to be sent; a timer might fire earlier. */
async function turn(): Promise<void> {
  for (let count = 0; count < 5; count += 1) await nextTurn();
}

describe('group commit', () => {
  afterEach(() => void jest.useRealTimers());

  test('writes added in one turn are sent as one group, with results in order', async () => {
    const groups: number[][] = [];
    const commit = new GroupCommit<number, number>(async (inputs) => {
      groups.push(inputs);
      return inputs.map((n) => n * 10);
    });
    expect(await Promise.all([1, 2, 3].map((n) => commit.add(n)))).toEqual([10, 20, 30]);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  test('writes added while a group is in flight form the next group', async () => {
    const { groups, releases, write } = controlledWriter();
    const commit = new GroupCommit<number, number>(write);
    const first = commit.add(1);
    await turn();
    const later = [commit.add(2), commit.add(3)];
    await turn();
    expect(groups).toEqual([[1]]);
    releases[0]?.();
    await first;
    await turn();
    releases[1]?.();
    expect(await Promise.all(later)).toEqual([20, 30]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  test('an immediate write is sent with others from the same code, without waiting for the next turn, unless another is in flight', async () => {
    const { groups, releases, write } = controlledWriter();
    const commit = new GroupCommit<number, number>(write, { atOnce: true });
    const addAll = async (...numbers: number[]) => {
      const added = numbers.map((n) => commit.add(n));
      await Promise.resolve();
      return added;
    };
    const added = [...(await addAll(1, 2)), ...(await addAll(3)), ...(await addAll(4, 5))];
    expect(groups).toEqual([[1, 2]]);
    releases[0]?.();
    await added[0];
    await turn();
    expect(groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    for (const release of releases) release();
    expect(await Promise.all(added)).toEqual([10, 20, 30, 40, 50]);
  });

  test('writes within the pause after a group form one group, even if nothing is in flight', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    let pauseMs = 50;
    const groups: number[][] = [];
    const write = async (inputs: number[]) => {
      groups.push(inputs);
      return inputs;
    };
    const commit = new GroupCommit<number, number>(write, { atOnce: true, pauseMs: () => pauseMs, maxSize: 3 });
    await commit.add(1);
    const later = [commit.add(2)];
    jest.advanceTimersByTime(49);
    await turn();
    later.push(commit.add(3));
    expect(groups).toEqual([[1]]);
    jest.advanceTimersByTime(1);
    expect(await Promise.all(later)).toEqual([2, 3]);
    expect(groups).toEqual([[1], [2, 3]]);

    pauseMs = 0;
    await commit.add(4);
    await commit.add(5);
    expect(groups.slice(2)).toEqual([[4], [5]]);
  });

  test('a full group does not wait for the pause', async () => {
    const groups: number[][] = [];
    const write = async (inputs: number[]) => {
      groups.push(inputs);
      return inputs;
    };
    const commit = new GroupCommit<number, number>(write, { atOnce: true, pauseMs: () => 60_000, maxSize: 2 });
    await commit.add(1);
    await Promise.all([2, 3].map((n) => commit.add(n)));
    expect(groups).toEqual([[1], [2, 3]]);
  });

  test('a bad member fails alone', async () => {
    const commit = new GroupCommit<number, number>(async (inputs) => {
      if (inputs.includes(2)) throw new Error('bad row');
      return inputs;
    });
    const results = await Promise.allSettled([1, 2, 3].map((n) => commit.add(n)));
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('an outage fails the whole group at once, without a retry for each member', async () => {
    let calls = 0;
    const commit = new GroupCommit<number, number>(async () => {
      calls += 1;
      throw new UnavailableError('away');
    });
    const results = await Promise.allSettled([1, 2, 3].map((n) => commit.add(n)));
    expect(results.every((r) => r.status === 'rejected')).toBe(true);
    expect(calls).toBe(1);
  });

  test('no group is larger than its limit', async () => {
    const sizes: number[] = [];
    const commit = new GroupCommit<number, number>(
      async (inputs) => {
        sizes.push(inputs.length);
        return inputs;
      },
      { maxSize: 2 },
    );
    await Promise.all([1, 2, 3, 4, 5].map((n) => commit.add(n)));
    expect(sizes).toEqual([2, 2, 1]);
  });

  test('no group exceeds its weight limit, except a single heavier write', async () => {
    const groups: number[][] = [];
    const commit = new GroupCommit<number, number>(
      async (inputs) => {
        groups.push(inputs);
        return inputs;
      },
      { weigh: (weight) => weight, maxWeight: 10 },
    );
    expect(await Promise.all([4, 6, 1, 25, 2, 3].map((n) => commit.add(n)))).toEqual([4, 6, 1, 25, 2, 3]);
    expect(groups).toEqual([[4, 6], [1], [25], [2, 3]]);
  });
});
