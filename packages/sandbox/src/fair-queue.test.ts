import { expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';

/** Entries `a1`, `a2`, `b1` belong to the owners `a` and `b`. */
function aQueue(...entries: string[]) {
  const queue = new FairQueue<string>();
  for (const entry of entries) queue.add(entry.charAt(0), entry);
  return queue;
}

function takeAll(queue: FairQueue<string>, mayGo: (entry: string) => boolean = () => true): string[] {
  const taken: string[] = [];
  for (let next = queue.next(mayGo); next !== undefined; next = queue.next(mayGo)) taken.push(next);
  return taken;
}

test('owners take turns regardless of their queue length; each queue is first in, first out', () => {
  expect(takeAll(aQueue('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test("an owner's first entry is served before owners that had their turn", () => {
  const queue = aQueue('a1', 'a2', 'a3');
  queue.next(() => true);
  queue.add('b', 'b1');
  expect(takeAll(queue)).toEqual(['a2', 'b1', 'a3']);
});

test('a blocked entry keeps its position and does not block later ones', () => {
  const queue = aQueue('a1', 'a2', 'b1');
  expect(takeAll(queue, (entry) => entry !== 'a1')).toEqual(['a2', 'b1']);
  expect(takeAll(queue)).toEqual(['a1']);
});

test('a removed entry is not served, and is removed only once', () => {
  const queue = aQueue('a1', 'a2');
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('x', 'x1')]).toEqual([true, false, false]);
  expect(queue.drain()).toEqual(['a2']);
  expect(takeAll(queue)).toEqual([]);
});
