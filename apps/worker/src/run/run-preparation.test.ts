import { expect, test } from '@jest/globals';
import type { ClaimedExecution, ReserveMemory } from '@sluice/db';
import { dataSize, type ExecutionId, MemoryBudget } from '@sluice/domain';
import { type RunContext, RunPreparation, type RunPreparationOptions } from './run-preparation.ts';

const mib = 1024 * 1024;

/** The memory that is reserved for an execution that resumes with these node runs. */
async function shareAfterLoad(runs: { bytes: number; largest: number }) {
  const { signal } = new AbortController();
  const memory = new MemoryBudget({ limit: 250 * mib, inUse: () => 1 }).open(signal);
  const options = {
    graphCache: { get: () => Promise.resolve({ nodes: [] }) },
    computingGraphs: { note() {} },
    variables: { get: () => Promise.resolve({}) },
    runData: {
      readNodeRuns: async (_: ExecutionId, reserve: ReserveMemory) => {
        await reserve(runs.bytes);
        return { records: [], ...runs };
      },
    },
    suspender: { stateOf: () => Promise.resolve({}) },
  };
  const claimed = { hasRun: true, input: { bytes: 0, data: {} } } as unknown as ClaimedExecution;
  await new RunPreparation(options as unknown as RunPreparationOptions).load({ claimed, signal, memory } as RunContext);
  return memory;
}

test('a resumed execution reserves no more memory than its node runs need', async () => {
  const share = await shareAfterLoad({ bytes: 1000, largest: 1000 });
  expect(share.size).toBe(dataSize(1000));
});

test('before the next node, a resumed execution needs memory only for its largest node run', async () => {
  const share = await shareAfterLoad({ bytes: 40 * mib, largest: 4 * mib });
  expect(share.reserve()).toBeUndefined();
  expect(share.size).toBe(dataSize(44 * mib));
});
