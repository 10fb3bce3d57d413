import { expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';

/**
 * Entries `a1`, `a2`, `b1` belong to the workflows `a` and `b`, and `Ac1` to the workflow `c` of
 * project `A`.
 */
function aQueue(...entries: string[]) {
  const queue = new FairQueue<string>();
  for (const entry of entries) queue.add(ownerOf(entry), entry);
  return queue;
}

function ownerOf(entry: string) {
  const workflowId = entry.replace(/\d/, '');
  return { projectId: /^[A-Z]/.test(entry) ? entry.charAt(0) : '', workflowId };
}

function takeAll(queue: FairQueue<string>, mayGo: (entry: string) => boolean = () => true): string[] {
  const order: string[] = [];
  for (let next = queue.next(mayGo); next !== undefined; next = queue.next(mayGo)) order.push(next);
  return order;
}

test('workflows take turns regardless of their queue length; each queue is first in, first out', () => {
  expect(takeAll(aQueue('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('the first entry of a workflow is served before workflows that had their turn', () => {
  const queue = aQueue('a1', 'a2', 'a3');
  queue.next(() => true);
  queue.add(ownerOf('b1'), 'b1');
  expect(takeAll(queue)).toEqual(['a2', 'b1', 'a3']);
});

test('a blocked entry keeps its position and does not block later ones', () => {
  const queue = aQueue('a1', 'a2', 'b1');
  expect(takeAll(queue, (entry) => entry !== 'a1')).toEqual(['a2', 'b1']);
  expect(takeAll(queue)).toEqual(['a1']);
});

test('a removed entry is not served, and is removed only once', () => {
  const queue = aQueue('a1', 'a2');
  expect(['a1', 'a1', 'x1', 'Xx1'].map((entry) => queue.remove(ownerOf(entry), entry))).toEqual([true, false, false, false]);
  expect(queue.drain()).toEqual(['a2']);
  expect(takeAll(queue)).toEqual([]);
});

test('projects take turns regardless of their number of workflows', () => {
  const queue = aQueue('Aa1', 'Aa2', 'Ab1', 'Ac1', 'Ba1', 'Ba2');
  expect(takeAll(queue)).toEqual(['Aa1', 'Ba1', 'Ab1', 'Ba2', 'Ac1', 'Aa2']);
});
