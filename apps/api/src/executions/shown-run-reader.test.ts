import { expect, test } from '@jest/globals';
import type { RunDataRepository } from '@sluice/db';
import { MemoryBudget } from '@sluice/domain';
import { ShownRunReader } from './shown-run-reader.ts';

const mib = 1024 * 1024;

/** Executions whose node runs have this many bytes each. */
function storing(bytes: number): Pick<RunDataRepository, 'readShownRuns'> {
  return {
    readShownRuns: async (_, reserve) => {
      await reserve?.(bytes);
      return { records: [], bytes, largest: bytes };
    },
  };
}
const aReader = (bytes: number) => new ShownRunReader(storing(bytes), new MemoryBudget({ limit: 250 * mib, inUse: () => 1 }));

test('node runs that need all memory are read after the previous response has been sent', async () => {
  const reader = aReader(40 * mib);
  const [first, second] = [new AbortController(), new AbortController()];
  await reader.read('1', first.signal);
  let isRead = false;
  const reading = reader.read('1', second.signal).then(() => (isRead = true));
  await new Promise(setImmediate);
  expect(isRead).toBe(false);
  first.abort();
  await reading;
  second.abort();
  await reader.read('1', new AbortController().signal);
});

test('a disconnected client does not wait for memory', async () => {
  const reader = aReader(40 * mib);
  await reader.read('1', new AbortController().signal);
  const gone = new AbortController();
  const reading = reader.read('1', gone.signal);
  gone.abort(new Error('closed'));
  await expect(reading).rejects.toThrow('closed');
});
