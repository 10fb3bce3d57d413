import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { ChunkChannel, ChunkListener, type NumberedChunk } from './chunk-channel.ts';

/** Delivers to itself what is published, if anybody has subscribed to it. */
class FakeRedis extends EventEmitter {
  status = 'ready';
  readonly subscribed = new Set<string>();

  async publish(channel: string, text: string): Promise<number> {
    return this.subscribed.has(channel) && this.emit('message', channel, text) ? 1 : 0;
  }

  async subscribe(channel: string): Promise<void> {
    if (this.status !== 'ready') await new Promise(() => undefined);
    this.subscribed.add(channel);
  }

  async unsubscribe(channel: string): Promise<void> {
    this.subscribed.delete(channel);
  }
}

function connected() {
  const redis = new FakeRedis();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const listener = new ChunkListener(redis as unknown as Redis, 'p', logger);
  return { redis, listener, channel: new ChunkChannel(redis as unknown as Redis, 'p') };
}

const chunk = (number: number, json = '{"a":"b"}'): NumberedChunk => ({ number, json });

test('all that listen to an execution get its chunks, and nobody those of another', async () => {
  const { listener, channel } = connected();
  const [first, second, other]: NumberedChunk[][] = [[], [], []];
  await listener.listen('1', (chunks) => first?.push(...chunks));
  await listener.listen('1', (chunks) => second?.push(...chunks));
  await listener.listen('2', (chunks) => other?.push(...chunks));
  await channel.publish('1', [chunk(0), chunk(1, '{"c":"\\n 7 {}"}')]);
  expect(first).toEqual([chunk(0), chunk(1, '{"c":"\\n 7 {}"}')]);
  expect([second, other]).toEqual([first, []]);
});

test('nothing is left of what nobody listens to any more', async () => {
  const { redis, listener, channel } = connected();
  const received: NumberedChunk[] = [];
  const stops = [await listener.listen('1', (chunks) => received.push(...chunks)), await listener.listen('1', () => {})];
  await stops[0]?.();
  await channel.publish('1', [chunk(0)]);
  expect([received, redis.subscribed.size]).toEqual([[], 1]);
  await stops[1]?.();
  expect([listener.size, redis.subscribed.size]).toEqual([0, 0]);
});

test('waits for no Redis that is away', async () => {
  const { redis, listener } = connected();
  redis.status = 'reconnecting';
  const stop = await listener.listen('1', () => undefined);
  await stop();
  expect(listener.size).toBe(0);
});

test('what cannot be read is left out', async () => {
  const { redis, listener } = connected();
  const received: NumberedChunk[] = [];
  await listener.listen('1', (chunks) => received.push(...chunks));
  redis.emit('message', 'p:chunks:1', 'x {}\n-1 {}\n3 []\n\n4 {}\n5');
  expect(received).toEqual([chunk(4, '{}')]);
});
