import { describe, expect, test } from '@jest/globals';
import { UnavailableError } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { ExecutionEnqueuer } from './execution-enqueuer.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

describe('ExecutionEnqueuer', () => {
  test('rejects before any write while Redis is down', () => {
    const queue = { enqueue: async () => undefined };
    const redisWatch = { problem: 'redis accepts no writes' };
    const enqueuer = new ExecutionEnqueuer({ queue, redisWatch, logger });
    expect(() => enqueuer.assertUp()).toThrow(new UnavailableError('redis accepts no writes'));
  });

  test('does not fail for a committed execution that could not be enqueued', async () => {
    const enqueue = async () => {
      throw new UnavailableError('redis cannot be reached');
    };
    const enqueuer = new ExecutionEnqueuer({ queue: { enqueue }, redisWatch: { problem: undefined }, logger });
    await expect(enqueuer.enqueue({ executionId: '1', attempt: 1 })).resolves.toBe(false);
  });
});
