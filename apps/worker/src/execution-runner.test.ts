import { expect, jest, test } from '@jest/globals';
import type { ClaimedExecution, Ending } from '@sluice/db';
import { MemoryBudget, UnavailableError } from '@sluice/domain';
import { SecretScrubber } from '@sluice/vault';
import { ExecutionClaims } from './execution-claims.ts';
import { ExecutionRunner, type ExecutionRunnerOptions } from './execution-runner.ts';
import { HeldExecutions } from './held-executions.ts';
import { ResultWriter, type ResultWriterOptions } from './result-writer.ts';
import { RunPreparation, type RunPreparationOptions } from './run-preparation.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

/** A runner whose executions pass their deadline before their graph can be read. */
function aRunner(finish: (ending: Ending) => Promise<boolean>) {
  const claim = async (): Promise<ClaimedExecution> => ({
    executionId: '1',
    attempt: 1,
    createdAt: 0,
    projectId: 'p',
    workflowId: 'w',
    graphHash: 'h',
    versionId: null,
    mode: 'manual',
    retryOf: null,
    parentId: null,
    workflowActive: false,
    callDepth: 0,
    remainingMs: 1,
    limitIds: [],
    input: { bytes: 0, data: {} },
  });
  const stored = { graphCache: { get: () => Promise.reject(new UnavailableError('away')) } };
  const held = new HeldExecutions();
  const ended = { publish: async () => undefined };
  const followUps = { after: async () => undefined };
  const limits = { claim: async () => undefined, left: async () => undefined };
  const options = {
    claims: new ExecutionClaims({ recorder: { claim }, held, limits, handover: { handOver: async () => undefined } }),
    preparation: new RunPreparation(stored as unknown as RunPreparationOptions),
    credentials: { forExecution: () => ({ scrubber: new SecretScrubber() }) },
    results: new ResultWriter({
      recorder: { finish },
      held,
      ended,
      followUps,
      logger: silent,
    } as unknown as ResultWriterOptions),
    memory: new MemoryBudget({ limit: 1, inUse: () => 0 }),
    logger: silent,
  };
  return new ExecutionRunner(options as unknown as ExecutionRunnerOptions);
}
const ref = { executionId: '1', attempt: 1 };

test('the end of a run past its deadline is written, also if the database is unreachable at first', async () => {
  const finish = jest.fn(async (_: Ending) => true).mockRejectedValueOnce(new UnavailableError('away'));
  await aRunner(finish).run(ref, { closing: new AbortController().signal });
  expect(finish).toHaveBeenCalledTimes(2);
  expect(finish.mock.lastCall?.[0]).toMatchObject({
    status: 'error',
    error: { code: 'EXECUTION_TIMEOUT', name: 'ExecutionTimeoutError' },
  });
});

test('a closing worker retries once to write an end, and then relies on the sweeper', async () => {
  const finish = jest.fn((_: Ending) => Promise.reject(new UnavailableError('away')));
  await expect(aRunner(finish).run(ref, { closing: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(finish).toHaveBeenCalledTimes(1);
});
