import { expect, test } from '@jest/globals';
import { type Service, startServices, stopServices } from './services.ts';

const never = new AbortController().signal;

/** Services that record their calls. `ends` completes the slow services. */
function setUp() {
  const calls: string[] = [];
  const slow = Promise.withResolvers<void>();
  const service = (name: string, stop?: Promise<void>): Service => ({
    start: () => void calls.push(`start ${name}`),
    async stop() {
      calls.push(`stop ${name}`);
      await stop;
      calls.push(`ended ${name}`);
    },
  });
  return { calls, ends: slow.resolve, services: [service('a'), service('b', slow.promise), service('c')] };
}

test('services start one after another, in order', async () => {
  const { calls, services } = setUp();
  const late: Service = {
    async start() {
      await Promise.resolve();
      calls.push('start late');
    },
    stop: () => undefined,
  };
  await startServices([late, ...services], never);
  expect(calls).toEqual(['start late', 'start a', 'start b', 'start c']);
});

test('a service that cannot start prevents later services from starting', async () => {
  const { calls, services } = setUp();
  const broken: Service = { start: () => Promise.reject(new Error('no port')), stop: () => undefined };
  const [first, ...rest] = services;
  await expect(startServices([first as Service, broken, ...rest], never)).rejects.toThrow('no port');
  expect(calls).toEqual(['start a']);
});

test('a signal ends the wait for a service that does not start, and later services do not start', async () => {
  const { calls, services } = setUp();
  const stuck: Service = { start: () => new Promise(() => undefined), stop: () => undefined };
  const [first, ...rest] = services;
  const stopping = new AbortController();
  const started = startServices([first as Service, stuck, ...rest], stopping.signal);
  stopping.abort(new Error('asked to stop'));
  await expect(started).rejects.toThrow('asked to stop');
  expect(calls).toEqual(['start a']);
});

test('services begin to stop in reverse order without waiting for each other, then all are awaited', async () => {
  const { calls, ends, services } = setUp();
  let isOver = false;
  const stopped = stopServices(services).then(() => {
    isOver = true;
  });
  expect(calls).toEqual(['stop c', 'stop b', 'stop a']);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  ends();
  await stopped;
  expect(calls).toEqual(['stop c', 'stop b', 'stop a', 'ended c', 'ended a', 'ended b']);
});
