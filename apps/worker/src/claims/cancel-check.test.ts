import { expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { CancelCheck } from './cancel-check.ts';
import { HeldExecutions } from './held-executions.ts';

function running(...ids: string[]) {
  const heldExecutions = new HeldExecutions();
  const signals = new Map(ids.map((executionId) => [executionId, heldExecutions.reserve({ executionId, attempt: 1 })]));
  const aborted = () => [...signals].filter(([, signal]) => signal?.aborted).map(([id]) => id);
  return { heldExecutions, aborted };
}

const logger = createLogger({ name: 'test', level: 'silent' });

test('a cancel signal aborts only the executions that have ended in Postgres', async () => {
  const { heldExecutions, aborted } = running('1', '2', '3');
  const queried: string[][] = [];
  const areOver = async (refs: { executionId: string }[]) => {
    queried.push(refs.map(({ executionId }) => executionId));
    return refs.map(({ executionId }) => executionId === '2');
  };
  await new CancelCheck({ areOver, heldExecutions, logger }).check(['1', '2', '9']);
  expect(aborted()).toEqual(['2']);
  expect(queried).toEqual([['1', '2']]);
});

test('a cancel signal that cannot be checked aborts nothing', async () => {
  const { heldExecutions, aborted } = running('1');
  const areOver = () => Promise.reject(new Error('the database is away'));
  await new CancelCheck({ areOver, heldExecutions, logger }).check(['1']);
  expect(aborted()).toEqual([]);
});
