import { expect, jest, test } from '@jest/globals';
import { type BrokerListening, listenToBroker } from './listen-to-broker.ts';

function bench(over: Partial<BrokerListening<never>> = {}) {
  const loss = Promise.withResolvers<never>();
  const steps: string[] = [];
  const client = {
    lost: loss.promise,
    close: async () => void steps.push('closed'),
  };
  const failed = jest.fn();
  const listening = {
    service: 'Broker',
    open: async () => client,
    subscribe: async () => void steps.push('subscribed'),
    settled: async () => void steps.push('settled'),
    ...over,
  };
  const start = () => listenToBroker({ signal: new AbortController().signal, failed }, listening);
  return { start, steps, failed, lose: () => loss.reject(new Error('gone')) };
}

test('waits for messages in flight before it closes the connection', async () => {
  const { start, steps } = bench();
  await (await start()).close();
  expect(steps).toEqual(['subscribed', 'settled', 'closed']);
});

test('closes the connection if the subscription fails, and includes the broker’s name in the error', async () => {
  const { start, steps } = bench({ subscribe: () => Promise.reject(new Error('no such queue')) });
  await expect(start()).rejects.toMatchObject({ code: 'NODE_OPERATION_ERROR', message: 'Broker: no such queue' });
  expect(steps).toEqual(['closed']);
});

test('a lost connection fails the listener', async () => {
  const { start, lose, failed } = bench();
  await start();
  lose();
  await new Promise(setImmediate);
  expect(failed.mock.calls).toEqual([[expect.objectContaining({ message: 'Broker: gone' })]]);
});

test('a closed listener reports no lost connection', async () => {
  const { start, lose, failed } = bench();
  await (await start()).close();
  lose();
  await new Promise(setImmediate);
  expect(failed).not.toHaveBeenCalled();
});
