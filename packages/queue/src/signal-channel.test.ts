import { expect, test } from '@jest/globals';
import { SignalChannel, subscribeSignal } from './signal-channel.ts';
import { loop } from './testing/fake-redis.ts';

function listen() {
  const { redis, publisher, subscriber } = loop();
  const received: [string[], Record<string, string>][] = [];
  subscribeSignal(subscriber, { prefix: 'p', signal: 'ended' }, (ids, data) => received.push([ids, Object.fromEntries(data)]));
  return { redis, channel: new SignalChannel(publisher, 'p', 'ended'), received };
}

test('the first message is sent immediately, and messages published until its reply are sent together', async () => {
  const { redis, channel, received } = listen();
  redis.held = [];
  const sent = [channel.publish(['1'])];
  await Promise.resolve();
  expect(redis.published).toEqual(['p:ended|1']);
  sent.push(channel.publishWith('2', '{"a":"b c"}'), channel.publish(['3', '4']), channel.publishWith('5', '{}'));
  redis.held[0]?.();
  await sent[0];
  await new Promise(setImmediate);
  redis.held[1]?.();
  await Promise.all(sent);
  expect(redis.published).toHaveLength(2);
  expect(received).toEqual([
    [['1'], {}],
    [['2', '3', '4', '5'], { 2: '{"a":"b c"}', 5: '{}' }],
  ]);
});

test('a message without IDs is not sent', async () => {
  const { redis, channel } = listen();
  await channel.publish([]);
  expect(redis.published).toEqual([]);
});
