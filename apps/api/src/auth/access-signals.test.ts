import { describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { AccessSignals } from './access-signals.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

describe('AccessSignals', () => {
  test('this process forgets at once, and the others are told', () => {
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

  test('while Redis is away, nobody fails: the database tells the others', async () => {
    const channel = { publish: () => Promise.reject(new Error('away')) };
    const signals = new AccessSignals({ forget: () => undefined, channel, logger });
    expect(() => signals.changed(['u'])).not.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
  });
});
