import { expect, test } from '@jest/globals';
import { localUrl } from '../local-url.ts';
import { untilReady } from './ready.ts';

test('a server that listens on every address is queried on the loopback address', () => {
  expect(localUrl('0.0.0.0', 80)).toBe('http://127.0.0.1:80');
  expect(localUrl('::', 80)).toBe('http://[::1]:80');
  expect(localUrl('10.1.2.3', 80)).toBe('http://10.1.2.3:80');
});

test('waiting ends with the reason of the abort signal', async () => {
  const controller = new AbortController();
  const waiting = untilReady('http://127.0.0.1:9', controller.signal);

  controller.abort(new Error('api did not start'));

  await expect(waiting).rejects.toThrow('api did not start');
});
