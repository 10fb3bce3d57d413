import { expect, test } from '@jest/globals';
import { ProgressChannel, type ProgressMessage, subscribeProgress } from './progress-channel.ts';
import { loop } from './testing/fake-redis.ts';

function listen() {
  const { redis, publisher, subscriber } = loop();
  const received: ProgressMessage[] = [];
  subscribeProgress(subscriber, 'p', (message) => received.push(message));
  return { redis, publisher, channel: new ProgressChannel(publisher, 'p'), received };
}

const started = { executionId: '1', nodeName: '__proto__', runIndex: 0, seq: 0, startTime: 5 };

test('messages published together are combined into one without duplicates', async () => {
  const { redis, channel, received } = listen();
  await Promise.all([channel.publish({ changed: '1' }), channel.publish({ changed: '1' }), channel.publish({ started })]);
  expect(redis.published).toHaveLength(1);
  expect(received).toEqual([{ changed: '1' }, { started }]);
});

test('malformed messages are skipped', async () => {
  const { publisher, received } = listen();
  for (const text of ['no json', '{}', '[null, 1, {}, {"changed":1}, {"started":null}, {"started":{"executionId":"1"}}]']) {
    await publisher.publish('p:progress', text);
  }
  expect(received).toEqual([]);
});
