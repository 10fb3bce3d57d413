import { describe, expect, test } from '@jest/globals';
import { QueueGauge } from './queue-gauge.ts';

function set(max: number) {
  const world = { now: 0, queued: new Map<string, number>(), counts: 0, failure: undefined as Error | undefined };
  const gauge = new QueueGauge({
    max,
    now: () => world.now,
    async count() {
      world.counts += 1;
      if (world.failure) throw world.failure;
      return new Map(world.queued);
    },
  });
  return { world, gauge };
}

describe('QueueGauge', () => {
  test('does not count again while there are few starts', async () => {
    const { world, gauge } = set(10);
    for (let i = 0; i < 9; i++) {
      expect(await gauge.full()).toEqual([]);
      gauge.note('p');
    }
    expect(world.counts).toBe(1);
  });

  test('counts in the database before it reports a full project', async () => {
    const { world, gauge } = set(2);
    await gauge.full();
    gauge.note('p');
    gauge.note('p');
    world.queued.set('p', 1); // one execution has started since
    expect(await gauge.full()).toEqual([]);
    gauge.note('p');
    world.queued.set('p', 2);
    expect(await gauge.full()).toEqual(['p']);
  });

  test('detects within a second that a full project has capacity again', async () => {
    const { world, gauge } = set(1);
    world.queued.set('p', 1);
    gauge.note('p');
    expect(await gauge.full()).toEqual(['p']);
    world.queued.clear();
    expect(await gauge.full()).toEqual(['p']);
    world.now = 1_000;
    expect(await gauge.full()).toEqual([]);
  });

  test('detects starts of other processes within a second', async () => {
    const { world, gauge } = set(100);
    await gauge.full();
    gauge.note('p');
    world.queued.set('p', 100);
    world.now = 1_000;
    await gauge.full(); // counts at startup
    await Promise.resolve();
    expect(await gauge.full()).toEqual(['p']);
  });

  test('does not allow starts based on a count from before a pause', async () => {
    const { world, gauge } = set(100);
    await gauge.full();
    world.queued.set('p', 100); // started by other processes
    world.now = 2_000;
    expect(await gauge.full()).toEqual(['p']);
  });

  test('counts again if starts reach the maximum during a count', async () => {
    const { world, gauge } = set(10);
    await gauge.full();
    for (let i = 0; i < 5; i++) gauge.note('p');
    world.queued.set('p', 5);
    world.now = 1_000;
    await gauge.full(); // counts in the background
    for (let i = 0; i < 5; i++) gauge.note('p');
    world.queued.set('p', 10);
    expect(await gauge.full()).toEqual(['p']);
    expect(world.counts).toBe(3);
  });

  test('keeps its own total if a count fails', async () => {
    const { world, gauge } = set(3);
    await gauge.full();
    gauge.note('p');
    gauge.note('p');
    world.failure = new Error('down');
    world.now = 2_000;
    await expect(gauge.full()).rejects.toThrow('down');
    world.failure = undefined;
    world.now = 2_001;
    world.queued.set('p', 3);
    gauge.note('p');
    expect(await gauge.full()).toEqual(['p']);
  });

  test('pauses after a slow count and uses its own total until the next count', async () => {
    let now = 0;
    let counts = 0;
    const gauge = new QueueGauge({
      max: 1,
      now: () => now,
      async count() {
        counts += 1;
        now += 100;
        return new Map();
      },
    });
    gauge.note('p');
    expect(await gauge.full()).toEqual([]);
    gauge.note('p');
    now += 1_500;
    expect(await gauge.full()).toEqual(['p']);
    expect(counts).toBe(1);
    now += 500;
    expect(await gauge.full()).toEqual([]);
    expect(counts).toBe(2);
  });
});
