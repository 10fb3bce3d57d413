import { expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { CancelCheck } from './cancel-check.ts';
import { InFlightExecutions } from './in-flight-executions.ts';

function running(...ids: string[]) {
  const inFlightExecutions = new InFlightExecutions();
  const signals = new Map(ids.map((executionId) => [executionId, inFlightExecutions.reserve({ executionId, attempt: 1 })]));
  const aborted = () => [...signals].filter(([, signal]) => signal?.aborted).map(([id]) => id);
  return { inFlightExecutions, aborted };
}

const logger = createLogger({ name: 'test', level: 'silent' });

test('a cancel signal aborts only the executions that have ended in Postgres', async () => {
  const { inFlightExecutions, aborted } = running('1', '2', '3');
  const queried: string[][] = [];
  const areOver = async (refs: { executionId: string }[]) => {
    queried.push(refs.map(({ executionId }) => executionId));
    return refs.map(({ executionId }) => executionId === '2');
  };
  await new CancelCheck({ areOver, inFlightExecutions, logger }).check(['1', '2', '9']);
  expect(aborted()).toEqual(['2']);
  expect(queried).toEqual([['1', '2']]);
});

test('a cancel signal that cannot be checked aborts nothing', async () => {
  const { inFlightExecutions, aborted } = running('1');
  const areOver = () => Promise.reject(new Error('the database is away'));
  await new CancelCheck({ areOver, inFlightExecutions, logger }).check(['1']);
  expect(aborted()).toEqual([]);
});
