import { expect, test } from '@jest/globals';
import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { inBatches } from './in-batches.ts';

/** Milliseconds that five items take with pauses of 40 ms. */
async function elapsed(batching: JsonObject, batchSize?: number): Promise<number> {
  const values: JsonObject = { delayBetweenBatches: 40, ...batching };
  const context: Pick<ExecuteContext, 'items' | 'parameter' | 'signal'> = {
    items: () => Array.from({ length: 5 }, () => ({ json: {} })),
    parameter: (path, _, fallback) => (values[path.replace('batching.', '')] ?? fallback) as never,
    signal: new AbortController().signal,
  };
  const start = performance.now();
  const results = await inBatches(context as ExecuteContext, async (item) => item, batchSize);
  expect(results).toHaveLength(5);
  return performance.now() - start;
}

test('there is a pause after each batch, of five items unless the node or its type says otherwise', async () => {
  expect(await elapsed({})).toBeLessThan(40);
  expect(await elapsed({ batchSize: 2 })).toBeGreaterThan(75);
  expect(await elapsed({}, 1)).toBeGreaterThan(155);
});
