import { expect, test } from '@jest/globals';
import type { HttpRequest } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { fakeContext } from '../testing/fake-context.ts';
import { paginated } from './paginated.ts';

function turning(signal = new AbortController().signal) {
  const requests: HttpRequest[] = [];
  const context = fakeContext({
    respond: (request) => {
      requests.push(request);
      return { body: Buffer.from('{}') };
    },
    over: { evaluateText: async () => (requests.length < 3) as never, signal },
  });
  return { requests, turn: paginated(context, context) };
}
const pagination = { continue: '={{ $pageCount < 3 }}', request: {} };

test('waits between requests as the package specifies', async () => {
  const { requests, turn } = turning();
  const before = performance.now();
  await turn({ uri: 'http://a' }, 0, { ...pagination, requestInterval: 50 });
  expect(requests).toHaveLength(3);
  expect(performance.now() - before).toBeGreaterThan(95); // two pauses; timers may fire slightly early
});

test('stops waiting when its run ends', async () => {
  const run = new AbortController();
  const { requests, turn } = turning(run.signal);
  const turned = turn({ uri: 'http://a' }, 0, { ...pagination, requestInterval: 3_600_000 });
  setTimeout(() => run.abort(new Error('canceled')), 20);
  await expect(turned).rejects.toThrow();
  expect(requests).toHaveLength(1);
});

/** Requests pages that all have the same body, until an error or twenty pages. */
async function samePages(body: string): Promise<{ requestCount: number; outcome: unknown }> {
  let requestCount = 0;
  const respond = () => {
    requestCount++;
    return { body: Buffer.from(body) };
  };
  const context = fakeContext({ respond, over: { evaluateText: async () => true as never } });
  const options = { continue: '={{ true }}', request: {}, maxRequests: 20 };
  const turned = paginated(context, context)({ uri: 'http://a', json: true }, 0, options);
  const outcome: unknown = await turned.then(
    (pages) => pages.length,
    (error: unknown) => error,
  );
  return { requestCount, outcome };
}

test('endless pages are an error before they exhaust memory', async () => {
  const { requestCount, outcome } = await samePages(JSON.stringify(Array.from({ length: 9 }, () => 'x'.repeat(1_000_000))));
  expect(outcome).toMatchObject({ message: "the service's pages contain too much data" });
  expect(requestCount).toBe(8);
});

test('large pages do not block the event loop', async () => {
  const body = `[${'{},'.repeat(100_000)}{}]`;
  expect(
    await longestBusy(async () => {
      expect(await samePages(body)).toEqual({ requestCount: 20, outcome: 20 });
    }),
  ).toBeLessThan(250);
});
