import { expect, test } from '@jest/globals';
import type { QueuedWorkflow } from '@sluice/db';
import { TurnOrder } from './turn-order.ts';

const queued = (projectId: string, workflowId: string, { weight = 1, priority = 5 } = {}): QueuedWorkflow => ({
  projectId,
  weight,
  workflowId,
  priority,
  waitedMs: 1_000,
});

function order(...workflows: QueuedWorkflow[]): TurnOrder {
  const turns = new TurnOrder();
  turns.update(workflows);
  return turns;
}

/** Number of turns that each workflow gets out of `count`. */
function share(turns: TurnOrder, count: number): Record<string, number> {
  return Object.fromEntries(turns.next(count).map((turn) => [turn.workflowId, turn.count]));
}

/** The workflows that get the next `count` turns, in order. */
const sequence = (turns: TurnOrder, count: number) =>
  Array.from({ length: count }, () => turns.next(1)[0]?.workflowId).join(' ');

test('projects take turns, and workflows take turns within each project', () => {
  const turns = order(queued('p', 'a'), queued('p', 'b'), queued('q', 'c'));
  expect(sequence(turns, 8)).toBe('a c b c a c b c');
});

test('turns are divided by weight between projects, and by priority between workflows', () => {
  const turns = order(
    queued('p', 'urgent', { weight: 3, priority: 10 }),
    queued('p', 'casual', { weight: 3, priority: 5 }),
    queued('q', 'other'),
  );
  expect(share(turns, 120)).toEqual({ urgent: 60, casual: 30, other: 30 });
});

test('a workflow with the lowest priority still gets turns among nine with the highest', () => {
  const urgent = Array.from({ length: 9 }, (_, i) => queued('p', `urgent${i}`, { priority: 10 }));
  expect(share(order(...urgent, queued('p', 'last', { priority: 1 })), 910).last).toBe(10);
});

test('a project that joins late is next but gets no extra turns for the time before', () => {
  const turns = order(queued('p', 'a'));
  turns.next(1_000);
  turns.update([queued('p', 'a'), queued('q', 'b')]);
  expect(sequence(turns, 6)).toBe('b a b a b a');
});

test('a removed workflow gets no more turns, and there are no turns without workflows', () => {
  const turns = order(queued('p', 'a'), queued('q', 'b'));
  turns.remove({ projectId: 'p', workflowId: 'a' });
  expect(share(turns, 10)).toEqual({ b: 10 });
  turns.remove({ projectId: 'q', workflowId: 'b' });
  expect(turns.next(10)).toEqual([]);
});
