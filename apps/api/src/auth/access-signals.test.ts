import { describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { AccessSignals } from './access-signals.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

describe('AccessSignals', () => {
  test('clears the cache of this process at once and notifies the others', () => {
    const forgotten: string[] = [];
    const published: string[] = [];
    const signals = new AccessSignals({
      forget: (ids) => void forgotten.push(...ids),
      channel: { publish: async (ids) => void published.push(...ids) },
      logger,
    });
    signals.changed(['u']);
    expect([forgotten, published]).toEqual([['u'], ['u']]);
  });

  test('no request fails during a Redis outage: other processes read the change from the database', async () => {
    const channel = { publish: () => Promise.reject(new Error('away')) };
    const signals = new AccessSignals({ forget: () => undefined, channel, logger });
    expect(() => signals.changed(['u'])).not.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
  });
});
