import { expect, jest, test } from '@jest/globals';
import { OnDemand } from './on-demand.ts';

test('an on-demand value is made once, on the first request', async () => {
  const make = jest.fn(async () => ({}));
  const thing = new OnDemand(make);
  expect([thing.current, make.mock.calls.length]).toEqual([undefined, 0]);
  const [one, two] = await Promise.all([thing.get(), thing.get()]);
  expect(one).toBe(two);
  expect(thing.current).toBe(one);
  expect(make).toHaveBeenCalledTimes(1);
});

test('after a failure it is made again', async () => {
  const make = jest.fn(async () => 'made').mockRejectedValueOnce(new Error('no'));
  const thing = new OnDemand(make);
  await expect(thing.get()).rejects.toThrow('no');
  expect(await thing.get()).toBe('made');
});
