import { expect, test } from '@jest/globals';
import type { HttpClient } from '@sluice/node-sdk';
import { MemoryBudget } from '@sluice/node-sdk/testing';
import { guardedFetch } from './guarded-fetch.ts';

const mib = 1024 * 1024;
const never = new AbortController().signal;

test('a response of a provider, streamed or not, is read only as memory becomes available', async () => {
  const budget = new MemoryBudget({ limit: 250 * mib, inUse: () => 1 });
  const other = budget.open(never);
  other.retain(90 * mib);
  let sent = 0;
  const body = async function* () {
    for (; sent < 32; sent += 1) yield Buffer.alloc(mib);
  };
  const stream: HttpClient['stream'] = (_request, _signal, receive) =>
    receive({ status: 200, statusText: 'OK', url: '', headers: {}, body: body() });
  const http = { stream } as HttpClient;
  const memory = budget.open(never);
  let read = 0;
  const reading = memory.run(async () => {
    const response = await guardedFetch({ http, timeoutMs: 1_000 })('http://provider.test/');
    for await (const chunk of response.body ?? []) read += chunk.length;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent).toBeLessThan(10);
  other[Symbol.dispose]();
  await reading;
  expect(read).toBe(32 * mib);
  expect(memory.size).toBeGreaterThanOrEqual(64 * mib);
});
