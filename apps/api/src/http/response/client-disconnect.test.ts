import { PassThrough, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { isHangUp, pipeToClient, responseClosed } from './client-disconnect.ts';

const received = { complete: true, destroyed: true };

test('work aborted by a client disconnect is not an error', () => {
  expect(isHangUp(responseClosed, received)).toBe(true);
  expect(isHangUp({ code: 'ECONNRESET' }, { complete: false, destroyed: true })).toBe(true);
});

test('an error after the request was received is reported', () => {
  expect(isHangUp({ code: 'ECONNRESET' }, received)).toBe(false);
  expect(isHangUp(new DOMException('stopped', 'AbortError'), received)).toBe(false);
});

test('a client that disconnects before or during the transfer is not an error', async () => {
  const disconnected = new PassThrough().destroy();
  const unread = Readable.from(['x']);
  await pipeToClient(unread, disconnected);
  expect(unread.destroyed).toBe(true);

  const leaving = new PassThrough();
  leaving.once('data', () => leaving.destroy());
  await pipeToClient(Readable.from(Array(100).fill(Buffer.alloc(65_536))), leaving);
});

test('a failure of the source is reported as an error', async () => {
  const broken = new Readable({ read: () => broken.destroy(new Error('disk')) });
  await expect(pipeToClient(broken, new PassThrough())).rejects.toThrow('disk');
});
