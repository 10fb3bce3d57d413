import { expect, jest, test } from '@jest/globals';
import type { AttemptRef, ClaimedExecution, Ending } from '@sluice/db';
import { MemoryBudget, UnavailableError } from '@sluice/domain';
import { SecretScrubber } from '@sluice/vault';
import { ExecutionClaims } from '../claims/execution-claims.ts';
import { InFlightExecutions } from '../claims/in-flight-executions.ts';
import { ExecutionRunner, type ExecutionRunnerOptions } from './execution-runner.ts';
import { ResultWriter, type ResultWriterOptions } from './result-writer.ts';
import { RunPreparation, type RunPreparationOptions } from './run-preparation.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

/**
 * A runner whose executions exceed their deadline before their graph is read. With `followers`,
 * they have a parent, and each end makes the next follower due.
 */
function aRunner(finish: (ending: Ending) => Promise<boolean>, followers?: AttemptRef[]) {
  const claim = jest.fn(
    async (ref: AttemptRef): Promise<ClaimedExecution> => ({
      ...ref,
      createdAt: 0,
      projectId: 'p',
      workflowId: 'w',
      graphHash: 'h',
      versionId: null,
      mode: 'manual',
      retryOf: null,
      parentId: followers ? 'parent' : null,
      workflowActive: false,
      callDepth: 0,
      remainingMs: 1,
      limitIds: [],
      hasRun: false,
      input: { bytes: 0, data: {} },
    }),
  );
  const stored = { graphCache: { get: () => Promise.reject(new UnavailableError('away')) } };
  const inFlightExecutions = new InFlightExecutions();
  const ended = { publish: async () => undefined };
  const enqueued: AttemptRef[] = [];
  const followUps = {
    after: async () => followers?.shift(),
    enqueue: async (refs: readonly AttemptRef[]) => void enqueued.push(...refs),
  };
  const limits = { claim: async () => undefined, released: async () => undefined };
  const handover = { handOver: async () => undefined, handBack: async () => true };
  const options = {
    claims: new ExecutionClaims({
      recorder: { claim, runUnclaimed: async () => undefined },
      computingGraphs: { refOf: () => undefined },
      inFlightExecutions,
      limits,
      handover,
      progress: { changed: () => undefined },
    }),
    preparation: new RunPreparation(stored as unknown as RunPreparationOptions),
    credentials: { forExecution: () => ({ scrubber: new SecretScrubber() }) },
    results: new ResultWriter({
      recorder: { finish },
      inFlightExecutions,
      ended,
      followUps,
      logger: silent,
    } as unknown as ResultWriterOptions),
    followUps,
    memoryBudget: new MemoryBudget({ limit: 1, inUse: () => 0 }),
    logger: silent,
  };
  return { runner: new ExecutionRunner(options as unknown as ExecutionRunnerOptions), enqueued, claim };
}
const ref = { executionId: '1', attempt: 1 };
const mayContinue = () => true;

/**
 * Runs an execution whose end makes two others due. Returns the ended and the enqueued executions.
 */
async function runFollowed(mayContinue: () => boolean) {
  const finish = jest.fn(async (_: Ending) => true);
  const followers = ['2', '3'].map((executionId) => ({ executionId, attempt: 1 }));
  const { runner, enqueued } = aRunner(finish, followers);
  await runner.run(ref, { closing: new AbortController().signal, mayContinue });
  return { ended: finish.mock.calls.map(([{ executionId }]) => executionId), enqueued };
}

test('executions that become due one after another share a slot', async () => {
  expect(await runFollowed(() => true)).toEqual({ ended: ['1', '2', '3'], enqueued: [] });
});

test('a due execution is enqueued if jobs wait for the slot', async () => {
  const answers = [true, false];
  expect(await runFollowed(() => answers.shift() ?? false)).toEqual({
    ended: ['1', '2'],
    enqueued: [{ executionId: '3', attempt: 1 }],
  });
});

test('a due execution that could not be claimed is enqueued', async () => {
  const next = { executionId: '2', attempt: 1 };
  const { runner, enqueued, claim } = aRunner(async () => true, [next]);
  claim.mockImplementationOnce(claim.getMockImplementation() as typeof claim).mockRejectedValueOnce(new Error('deadlock'));
  const run = runner.run(ref, { closing: new AbortController().signal, mayContinue });
  await expect(run).rejects.toThrow('deadlock');
  expect(enqueued).toEqual([next]);
});

test('the end of an execution past its deadline is written even if the database is unreachable at first', async () => {
  const finish = jest.fn(async (_: Ending) => true).mockRejectedValueOnce(new UnavailableError('away'));
  await aRunner(finish).runner.run(ref, { closing: new AbortController().signal, mayContinue });
  expect(finish).toHaveBeenCalledTimes(2);
  expect(finish.mock.lastCall?.[0]).toMatchObject({
    status: 'error',
    error: { code: 'EXECUTION_TIMEOUT', name: 'ExecutionTimeoutError' },
  });
});

test('a closing worker retries to write the end of an execution once, then relies on the sweeper', async () => {
  const closing = new AbortController();
  const finish = jest.fn((_: Ending) => {
    closing.abort();
    return Promise.reject(new UnavailableError('away'));
  });
  await expect(aRunner(finish).runner.run(ref, { closing: closing.signal, mayContinue })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(finish).toHaveBeenCalledTimes(1);
});
