import { expect, test } from '@jest/globals';
import { Slots } from './slots.ts';

const { signal } = new AbortController();

function taker(slots: Slots) {
  const order: string[] = [];
  const take = async (owner: string, name = owner, group = owner) => {
    const release = await slots.take(owner, signal, group);
    order.push(name);
    return release;
  };
  return { order, take };
}

test('admits one holder per slot; others wait in order', async () => {
  const { order, take } = taker(new Slots(2));
  const [first, second] = [await take('a'), await take('b')];
  const waiting = [take('c'), take('d')];
  await Promise.resolve();
  expect(order).toEqual(['a', 'b']);
  second();
  (await waiting[0])?.();
  await waiting[1];
  expect(order).toEqual(['a', 'b', 'c', 'd']);
  first();
});

test('one owner never holds the last slot', async () => {
  const { order, take } = taker(new Slots(2));
  await take('hostile', 'h1');
  void take('hostile', 'h2');
  await take('other');
  expect(order).toEqual(['h1', 'other']);
});

test('the least recently served owner is next, even if another owner has many waiting tasks', async () => {
  const { order, take } = taker(new Slots(1));
  const first = await take('hostile', 'h1');
  const hostile = [take('hostile', 'h2'), take('hostile', 'h3')];
  const other = take('other');
  first();
  (await other)();
  (await hostile[0])?.();
  (await hostile[1])?.();
  expect(order).toEqual(['h1', 'other', 'h2', 'h3']);
});

test('one group never holds the last slot, unless no other group has used the slots', async () => {
  const { order, take } = taker(new Slots(2));
  const releases = [await take('h1', 'h1', 'hostile'), await take('h2', 'h2', 'hostile')];
  const other = take('other', 'other', 'others');
  releases[0]?.();
  (await other)();
  const third = take('h3', 'h3', 'hostile');
  (await take('other', 'other', 'others'))();
  expect(order).toEqual(['h1', 'h2', 'other', 'other']);
  releases[1]?.();
  await third;
});

test('groups take turns, even if one of them has many owners', async () => {
  const { order, take } = taker(new Slots(2));
  const releases = [await take('h1', 'h1', 'hostile'), await take('h2', 'h2', 'hostile')];
  const waiting = [3, 4, 5].map((n) => take(`h${n}`, `h${n}`, 'hostile'));
  const other = take('other', 'other', 'others');
  releases[0]?.();
  (await other)();
  releases[1]?.();
  for (const task of waiting) (await task)();
  expect(order).toEqual(['h1', 'h2', 'other', 'h3', 'h4', 'h5']);
});

test('a task whose signal fires stops waiting and takes no slot', async () => {
  const slots = new Slots(1);
  const release = await slots.take('a', signal);
  const leaving = new AbortController();
  const abandoned = slots.take('b', leaving.signal);
  const next = slots.take('c', signal);
  leaving.abort(new Error('canceled'));
  await expect(abandoned).rejects.toThrow('canceled');
  release();
  (await next)();
  await expect(slots.take('b', leaving.signal)).rejects.toThrow('canceled');
  (await slots.take('d', signal))();
});
