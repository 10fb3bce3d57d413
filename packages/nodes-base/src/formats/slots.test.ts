import { expect, test } from '@jest/globals';
import { Slots } from './slots.ts';

const { signal } = new AbortController();

test('lets as many in as there are slots; others wait in order', async () => {
  const slots = new Slots(2);
  const order: string[] = [];
  const [first, second] = [await slots.take(signal), await slots.take(signal)];
  const waiting = ['third', 'fourth'].map(async (name) => {
    const release = await slots.take(signal);
    order.push(name);
    return release;
  });
  await Promise.resolve();
  expect(order).toEqual([]);
  second();
  (await waiting[0])?.();
  await waiting[1];
  expect(order).toEqual(['third', 'fourth']);
  first();
});

test('whoever waits leaves when the signal fires, and takes no slot along', async () => {
  const slots = new Slots(1);
  const release = await slots.take(signal);
  const leaving = new AbortController();
  const left = slots.take(leaving.signal);
  const next = slots.take(signal);
  leaving.abort(new Error('canceled'));
  await expect(left).rejects.toThrow('canceled');
  release();
  (await next)();
  await expect(slots.take(leaving.signal)).rejects.toThrow('canceled');
  (await slots.take(signal))();
});
