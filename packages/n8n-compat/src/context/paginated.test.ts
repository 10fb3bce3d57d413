import { expect, test } from '@jest/globals';
import type { HttpRequest } from '@sluice/node-sdk';
import { fakeContext } from '../testing/fake-context.ts';
import { paginated } from './paginated.ts';

function turning(signal = new AbortController().signal) {
  const asked: HttpRequest[] = [];
  const context = fakeContext({
    respond: (request) => {
      asked.push(request);
      return { body: Buffer.from('{}') };
    },
    over: { evaluateText: async () => (asked.length < 3) as never, signal },
  });
  return { asked, turn: paginated(context, context) };
}
const pagination = { continue: '={{ $pageCount < 3 }}', request: {} };

test('waits between requests as the package specifies', async () => {
  const { asked, turn } = turning();
  const before = performance.now();
  await turn({ uri: 'http://a' }, 0, { ...pagination, requestInterval: 50 });
  expect(asked).toHaveLength(3);
  expect(performance.now() - before).toBeGreaterThan(95); // two pauses; timers may be a little early
});

test('stops waiting when its run ends', async () => {
  const run = new AbortController();
  const { asked, turn } = turning(run.signal);
  const turned = turn({ uri: 'http://a' }, 0, { ...pagination, requestInterval: 3_600_000 });
  setTimeout(() => run.abort(new Error('canceled')), 20);
  await expect(turned).rejects.toThrow();
  expect(asked).toHaveLength(1);
});
