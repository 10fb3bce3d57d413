import { describe, expect, test } from '@jest/globals';
import { UnavailableError } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { Delivery } from './delivery.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

describe('Delivery', () => {
  test('rejects before any write while Redis is down', () => {
    const queue = { enqueue: async () => undefined };
    expect(() => new Delivery({ queue, redis: { up: false }, logger }).assertUp()).toThrow(UnavailableError);
  });

  test('does not fail for a committed execution that could not be enqueued', async () => {
    const enqueue = async () => {
      throw new UnavailableError('redis cannot be reached');
    };
    const delivery = new Delivery({ queue: { enqueue }, redis: { up: true }, logger });
    await expect(delivery.enqueue({ executionId: '1', attempt: 1 })).resolves.toBe(false);
  });
});
