import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { ReplicaLag } from './replica-lag.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const answering = (position: () => string | null) => ({ query: async () => [{ position: position() }] }) as unknown as Database;

test.each<[string, () => string | null]>([
  [
    'is unreachable',
    () => {
      throw new Error('away');
    },
  ],
  ['was promoted', () => null],
  ['makes no progress', () => '1'],
])('memory use does not grow while a replica %s', async (_state, position) => {
  let written = 10n;
  const lag = new ReplicaLag(
    answering(() => String(++written)),
    answering(position),
    1,
  );
  const measure = async (times: number) => {
    for (let time = 0; time < times; time += 1) await lag.measure().catch(() => undefined);
  };
  await measure(1_000);
  const before = heapBytes();
  await measure(50_000);
  expect(heapBytes() - before).toBeLessThan(2_000_000);
  expect(lag.ms).toBe(Number.POSITIVE_INFINITY);
});
