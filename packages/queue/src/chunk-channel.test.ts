import { expect, test } from '@jest/globals';
import { ChunkChannel, ChunkListener, type NumberedChunk } from './chunk-channel.ts';
import { loop } from './testing/fake-redis.ts';

function connected() {
  const { redis, publisher, subscriber } = loop();
  return { redis, publisher, listener: new ChunkListener(subscriber, 'p'), channel: new ChunkChannel(publisher, 'p') };
}

const chunk = (number: number, json = '{"a":"b"}'): NumberedChunk => ({ attempt: 1, number, json });

test('all listeners of an execution receive its chunks and no others', async () => {
  const { listener, channel } = connected();
  const [first, second, other]: NumberedChunk[][] = [[], [], []];
  await listener.listen('1', (chunks) => first?.push(...chunks));
  await listener.listen('1', (chunks) => second?.push(...chunks));
  await listener.listen('2', (chunks) => other?.push(...chunks));
  await channel.publish('1', [chunk(0), chunk(1, '{"c":"\\n 7 {}"}')]);
  expect(first).toEqual([chunk(0), chunk(1, '{"c":"\\n 7 {}"}')]);
  expect([second, other]).toEqual([first, []]);
});

test('the subscription ends with its last listener', async () => {
  const { redis, listener, channel } = connected();
  const received: NumberedChunk[] = [];
  const stops = [await listener.listen('1', (chunks) => received.push(...chunks)), await listener.listen('1', () => {})];
  await stops[0]?.();
  await channel.publish('1', [chunk(0)]);
  expect([received, redis.subscribed.size]).toEqual([[], 1]);
  await stops[1]?.();
  await stops[1]?.();
  expect(redis.subscribed.size).toBe(0);
});

test('neither starting nor stopping waits for an unreachable Redis', async () => {
  const { redis, listener } = connected();
  redis.status = 'reconnecting';
  const stop = await listener.listen('1', () => undefined);
  await stop();
});

test('malformed lines are skipped', async () => {
  const { publisher, listener } = connected();
  const received: NumberedChunk[] = [];
  await listener.listen('1', (chunks) => received.push(...chunks));
  await publisher.publish('p:chunks:1', 'x {}\n-1 {}\n1 3 []\n\n1 4 {}\n5\n6 {}');
  expect(received).toEqual([chunk(4, '{}')]);
});
