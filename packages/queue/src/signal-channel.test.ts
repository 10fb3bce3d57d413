import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { SignalChannel } from './signal-channel.ts';

/** Delivers to itself what is published, once it is told to. */
class FakeRedis extends EventEmitter {
  readonly published: string[] = [];
  readonly deliveries: (() => void)[] = [];

  publish(channel: string, text: string): Promise<number> {
    this.published.push(text);
    return new Promise((resolve) => {
      this.deliveries.push(() => {
        this.emit('message', channel, text);
        resolve(1);
      });
    });
  }

  async subscribe(): Promise<number> {
    return 1;
  }
}

function listen() {
  const redis = new FakeRedis();
  const received: [string[], Record<string, string>][] = [];
  const channel = new SignalChannel(redis as unknown as Redis, 'p', 'ended');
  const onIds = (ids: string[], told: ReadonlyMap<string, string>) => received.push([ids, Object.fromEntries(told)]);
  channel.subscribe(redis as unknown as Redis, onIds, {} as Logger);
  return { redis, channel, received };
}

test('a lone message goes out at once, and those that come meanwhile go together', async () => {
  const { redis, channel, received } = listen();
  const sent = [channel.publish(['1']), channel.tell('2', '{"a":"b c"}'), channel.publish(['3', '4']), channel.tell('5', '{}')];
  expect(redis.published).toEqual(['1']);
  redis.deliveries[0]?.();
  await sent[0];
  await new Promise(setImmediate);
  redis.deliveries[1]?.();
  await Promise.all(sent);
  expect(redis.published).toHaveLength(2);
  expect(received).toEqual([
    [['1'], {}],
    [['2', '3', '4', '5'], { 2: '{"a":"b c"}', 5: '{}' }],
  ]);
});

test('messages on other channels are left alone, and those of nothing are not sent', async () => {
  const { redis, channel, received } = listen();
  await channel.publish([]);
  redis.emit('message', 'p:cancel', '1');
  expect([redis.published, received]).toEqual([[], []]);
});
