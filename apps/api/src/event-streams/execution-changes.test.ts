import { expect, test } from '@jest/globals';
import type { ExecutionState } from '@sluice/db';
import type { ExecutionId, ExecutionStatus } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { ExecutionChanges } from './execution-changes.ts';

const stateOf = (id: string, status: ExecutionStatus): ExecutionState => ({
  id: id as ExecutionId,
  workflowId: 'w',
  projectId: 'p',
  status,
});

/** The number of executions that each poll compares. */
const newest = Array.from({ length: 200 }, (_, i) => stateOf(String(1_000 + i), 'success'));

/**
 * Changes with one older execution that only a signal finds. `onRead` is called after it is read,
 * before the result is returned.
 */
function startChanges(onRead: () => void) {
  const old = stateOf('1', 'running');
  const seen: unknown[] = [];
  const changes = new ExecutionChanges({
    executionChanges: {
      async read(_, signaled) {
        if (!signaled.includes(old.id)) return newest;
        const states = [...newest, { ...old }];
        onRead();
        return states;
      },
    },
    logger: { debug: () => undefined } as never,
  });
  let isFirst = true;
  const stop = changes.listen((batch) => {
    if (isFirst) changes.notify([old.id]);
    isFirst = false;
    seen.push(...batch.map(({ status }) => status));
  });
  return { changes, old, seen, stop };
}

test('an execution that changes while it is read is read again', async () => {
  const { changes, old, seen, stop } = startChanges(() => {
    if (old.status === 'success') return;
    old.status = 'success';
    changes.notify([old.id]);
  });
  await eventually(() => expect(seen).toEqual(['running', 'success']), { timeoutMs: 10_000 });
  stop();
});

test('an execution whose read fails is read again', async () => {
  let failures = 0;
  const { seen, stop } = startChanges(() => {
    failures += 1;
    if (failures === 1) throw new Error('the database is down');
  });
  await eventually(() => expect(seen).toEqual(['running']), { timeoutMs: 10_000 });
  stop();
});
