import { expect, jest, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import { PeriodicService, type Rounds } from './periodic-service.ts';

class Service extends PeriodicService<{ logger: Logger; work: () => Promise<void> }> {
  protected get rounds(): Rounds {
    return { pauseMs: 60_000, firstMs: 0, failure: 'failed' };
  }

  round(): Promise<void> {
    return this.options.work();
  }
}

/**
 * A service whose round is in progress until the test settles it. `stopped` is whether `stop` has
 * resolved.
 */
function aService() {
  const { promise, ...settle } = Promise.withResolvers<void>();
  const service = new Service({ logger: { warn: () => undefined } as unknown as Logger, work: () => promise });
  const stopped = jest.fn();
  return { service, settle, stopped };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test.each(['resolve', 'reject'] as const)('a stop waits for the round in progress (%s)', async (end) => {
  const { service, settle, stopped } = aService();
  service.start();
  const stop = service.stop().then(stopped);
  await nextTurn();
  expect(stopped).not.toHaveBeenCalled();
  settle[end]();
  await stop;
});

test('a service that never started stops immediately', async () => {
  await aService().service.stop();
});
