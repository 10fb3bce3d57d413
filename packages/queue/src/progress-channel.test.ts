import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { ProgressChannel, type ProgressMessage } from './progress-channel.ts';

/** Delivers to itself what is published. */
class FakeRedis extends EventEmitter {
  published: string[] = [];

  async publish(channel: string, text: string): Promise<number> {
    this.published.push(text);
    this.emit('message', channel, text);
    return 1;
  }

  async subscribe(): Promise<number> {
    return 1;
  }
}

function listen() {
  const redis = new FakeRedis();
  const received: ProgressMessage[] = [];
  const channel = new ProgressChannel(redis as unknown as Redis, 'p');
  channel.subscribe(redis as unknown as Redis, (message) => received.push(message), {} as Logger);
  return { redis, channel, received };
}

const started = { executionId: '1', nodeName: '__proto__', runIndex: 0, seq: 0, startTime: 5 };

test('what is published together is one message, without repetitions', async () => {
  const { redis, channel, received } = listen();
  await Promise.all([channel.publish({ changed: '1' }), channel.publish({ changed: '1' }), channel.publish({ started })]);
  expect(redis.published).toHaveLength(1);
  expect(received).toEqual([{ changed: '1' }, { started }]);
});

test('messages of another shape, or on other channels, are left alone', () => {
  const { redis, received } = listen();
  for (const text of ['no json', '{}', '[null, 1, {}, {"changed":1}, {"started":null}, {"started":{"executionId":"1"}}]']) {
    redis.emit('message', 'p:progress', text);
  }
  redis.emit('message', 'other:progress', '[{"changed":"1"}]');
  expect(received).toEqual([]);
});
