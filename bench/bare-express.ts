import type { AddressInfo } from 'node:net';
import express from 'express';

/**
 * The ceiling of a list: a route of bare Express that sends the bytes from its parent.
 * Reports its port.
 */
process.once('message', (bytes: string) => {
  const app = express();
  app.disable('etag');
  app.get('/api/v1/:list', (_request, response) => {
    response.type('json').send(bytes);
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
