import type { AddressInfo } from 'node:net';
import express from 'express';

/**
 * Upper bound for lists: a bare Express route that sends the bytes that it received from the parent
 * process. Sends its port to the parent.
 */
process.once('message', (bytes: string) => {
  const app = express();
  app.disable('etag');
  app.get('/api/v1/:list', (_request, response) => {
    response.type('json').send(bytes);
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
