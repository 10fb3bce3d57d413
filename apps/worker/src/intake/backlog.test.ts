import { beforeEach, describe, expect, test } from '@jest/globals';
import type { QueuedWorkflow, Turns } from '@sluice/db';
import { Backlog } from './backlog.ts';

const queue = 'executions';
const aWorkflow = (id: string, waitedMs = 1_000): QueuedWorkflow => ({
  projectId: `project of ${id}`,
  weight: 1,
  workflowId: id,
  priority: 5,
  waitedMs,
});

let now: number;
let workflows: QueuedWorkflow[];
/** Number of queued executions by workflow. */
let executions: Record<string, string[]>;
let lists: number;
let listingMs: number;
let backlog: Backlog;
beforeEach(() => {
  now = 0;
  lists = 0;
  listingMs = 0;
  workflows = [aWorkflow('a'), aWorkflow('b')];
  executions = { a: ['a1', 'a2', 'a3'], b: ['b1', 'b2'] };
  backlog = new Backlog({
    now: () => now,
    queued: {
      async listWorkflows() {
        lists += 1;
        now += listingMs;
        return workflows.filter(({ workflowId }) => executions[workflowId]?.length);
      },
      async take(turns: readonly Turns[]) {
        return turns.flatMap(({ projectId, workflowId, count }) =>
          (executions[workflowId] ?? [])
            .splice(0, count)
            .map((executionId) => ({ executionId, attempt: 1, projectId, workflowId })),
        );
      },
    },
  });
});

/** The executions that start when the queue delivers `count` executions. */
async function next(count: number): Promise<string> {
  return (await backlog.next(count, queue)).map(({ executionId }) => executionId).join(' ');
}

describe('while the queue empties regularly', () => {
  test('jobs start their own executions without a query', async () => {
    for (; now < 2_000; now += 100) {
      expect(await next(4)).toBe('');
      backlog.drained(queue);
    }
    expect(lists).toBe(0);
  });
});

describe('during a backlog', () => {
  beforeEach(async () => {
    await next(1);
    now = 300;
  });

  test('jobs start their own executions if only one workflow is queued', async () => {
    workflows = [aWorkflow('a')];
    expect(await next(4)).toBe('');
  });

  test('several workflows take turns', async () => {
    expect(await next(4)).toBe('a1 a2 b1 b2');
    expect(await next(4)).toBe('a3');
    expect(await next(4)).toBe('');
  });

  test('workflows take turns until the queue is empty, even after all but one have started', async () => {
    executions.b = ['b1'];
    expect(await next(2)).toBe('a1 b1');
    now += 300;
    expect(await next(1)).toBe('a2');
    backlog.drained(queue);
    expect(await next(1)).toBe('');
  });

  test('executions of a single workflow start oldest first once one has waited for more than ten seconds', async () => {
    workflows = [aWorkflow('a', 10_001)];
    expect(await next(2)).toBe('a1 a2');
  });

  test('the queued workflows are listed a few times a second', async () => {
    for (; now < 1_300; now += 10) await next(0);
    expect(lists).toBe(4);
  });
});

test('an execution that had already started is replaced by a waiting execution', async () => {
  expect((await backlog.replace(1)).map(({ executionId }) => executionId)).toEqual(['a1']);
});

test('executions are overdue until none has been queued for as long as a backlog', async () => {
  executions = { a: ['a1'] };
  expect(await backlog.takeOverdue(3)).toEqual([{ executionId: 'a1', attempt: 1 }]);
  expect(await backlog.takeOverdue(3)).toBeUndefined();
});

test('executions of other projects are taken regardless of jobs', async () => {
  const taken = await backlog.takeOfOthers(new Set(['project of a']), 4);
  expect(taken.map(({ executionId }) => executionId)).toEqual(['b1', 'b2']);
});

test('executions of other projects are listed for at most a tenth of the time', async () => {
  listingMs = 100;
  for (; now < 11_000; now += 250) await backlog.takeOfOthers(new Set(['project of a']), 4);
  expect(lists).toBeLessThanOrEqual(10);
});

test('a queue was empty until the first job after it had been drained', async () => {
  expect(backlog.wasEmpty(queue, 5_000)).toBe(false);
  backlog.drained(queue);
  now = 60_000;
  expect(backlog.wasEmpty(queue, 5_000)).toBe(true);
  await backlog.next(1, queue);
  now = 65_000;
  expect(backlog.wasEmpty(queue, 5_000)).toBe(true);
  await backlog.next(1, queue);
  now = 65_001;
  expect([backlog.wasEmpty(queue, 5_000), backlog.wasEmpty('another', 5_000)]).toEqual([false, false]);
});
