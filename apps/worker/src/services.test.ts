import { expect, test } from '@jest/globals';
import { type Service, startServices, stopServices } from './services.ts';

/** Services that note what they are told; `ends` lets go those that take their time. */
function setUp() {
  const told: string[] = [];
  const slow = Promise.withResolvers<void>();
  const service = (name: string, stop?: Promise<void>): Service => ({
    start: () => void told.push(`start ${name}`),
    async stop() {
      told.push(`stop ${name}`);
      await stop;
      told.push(`ended ${name}`);
    },
  });
  return { told, ends: slow.resolve, services: [service('a'), service('b', slow.promise), service('c')] };
}

test('services start in their order, each when the one before has started', async () => {
  const { told, services } = setUp();
  const late: Service = {
    async start() {
      await Promise.resolve();
      told.push('start late');
    },
    stop: () => undefined,
  };
  await startServices([late, ...services]);
  expect(told).toEqual(['start late', 'start a', 'start b', 'start c']);
});

test('a service that cannot start keeps those after it from starting', async () => {
  const { told, services } = setUp();
  const broken: Service = { start: () => Promise.reject(new Error('no port')), stop: () => undefined };
  const [first, ...rest] = services;
  await expect(startServices([first as Service, broken, ...rest])).rejects.toThrow('no port');
  expect(told).toEqual(['start a']);
});

test('all are told to stop before any has ended, the last first; and all are waited for', async () => {
  const { told, ends, services } = setUp();
  let isOver = false;
  const stopped = stopServices(services).then(() => {
    isOver = true;
  });
  expect(told).toEqual(['stop c', 'stop b', 'stop a']);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  ends();
  await stopped;
  expect(told).toEqual(['stop c', 'stop b', 'stop a', 'ended c', 'ended a', 'ended b']);
});
