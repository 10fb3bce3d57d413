import { PassThrough, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pipeToClient } from './pipe-to-client.ts';

test('a client that disconnects before or while the bytes are sent is not an error', async () => {
  const disconnected = new PassThrough().destroy();
  const unread = Readable.from(['x']);
  await pipeToClient(unread, disconnected);
  expect(unread.destroyed).toBe(true);

  const leaving = new PassThrough();
  leaving.once('data', () => leaving.destroy());
  await pipeToClient(Readable.from(Array(100).fill(Buffer.alloc(65_536))), leaving);
});

test('a failure of the source is an error', async () => {
  const broken = new Readable({ read: () => broken.destroy(new Error('disk')) });
  await expect(pipeToClient(broken, new PassThrough())).rejects.toThrow('disk');
});
