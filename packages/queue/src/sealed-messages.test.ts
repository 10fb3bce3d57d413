import { expect, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { SealedPublisher, SealedSubscriber } from './sealed-messages.ts';
import { FakeRedis, plainSeal } from './testing/fake-redis.ts';

test('a message that fails verification reaches no listener and is logged once a minute', async () => {
  const redis = new FakeRedis();
  const lines: unknown[] = [];
  let now = 0;
  const logger = { warn: (fields: unknown) => lines.push(fields) } as unknown as Logger;
  const subscriber = new SealedSubscriber({ redis: redis as unknown as Redis, seal: plainSeal, logger, now: () => now });
  const received: string[] = [];
  await subscriber.listen('c', (text) => received.push(text));
  const forge = () => redis.publish('c', Buffer.from('forged'));
  await Promise.all([forge(), forge(), forge()]);
  now = 60_000;
  await forge();
  expect(received).toEqual([]);
  const line = { channel: 'c', reason: 'unreadable' };
  expect(lines).toEqual([
    { ...line, count: 1 },
    { ...line, count: 3 },
  ]);
});

test('a message is decrypted once for all listeners of its channel, and not for other channels', async () => {
  const redis = new FakeRedis();
  const opened: string[] = [];
  const seal = {
    ...plainSeal,
    open(channel: string, message: Buffer) {
      opened.push(channel);
      return plainSeal.open(channel, message);
    },
  };
  const subscriber = new SealedSubscriber({ redis: redis as unknown as Redis, seal, logger: {} as Logger });
  const publisher = new SealedPublisher(redis as unknown as Redis, seal);
  const received: string[] = [];
  await subscriber.listen('c', (text) => received.push(`1 ${text}`));
  await subscriber.listen('c', (text) => received.push(`2 ${text}`));
  redis.subscribed.add('d');
  await publisher.publish('c', 'x');
  await publisher.publish('d', 'y');
  expect([received, opened]).toEqual([['1 x', '2 x'], ['c']]);
});
