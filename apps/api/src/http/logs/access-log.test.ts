import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Logger } from '@sluice/logger';
import express from 'express';
import { setRequestState } from '../request/request-state.ts';
import { accessLog } from './access-log.ts';

const server = createServer();
afterEach(() => server.close().closeAllConnections());

test.each([
  ['/webhook-waiting/7/a-token/suffix?x=1', '/webhook-waiting/7/***'],
  ['/form-waiting/7/a-token', '/form-waiting/7/***'],
  ['/WEBHOOK-Waiting/7/a-token', '/WEBHOOK-Waiting/7/***'],
  ['//webhook-waiting//7//a-token', '//webhook-waiting//7/***'],
  ['/webhook-waiting/7%2fa-token', '/webhook-waiting/7/***'],
  ['/%77ebhook-waiting/7%252fa-token', '/webhook-waiting/7/***'],
  ['/webhook-waiting/7/a-%zz%0Atoken', '/webhook-waiting/7/***'],
  ['/form-waiting\\7\\a-token', '/form-waiting\\7/***'],
  ['/webhook-waiting/a-token', '/webhook-waiting//***'],
  ['http://h/webhook-waiting/7/a-token', 'http://h/webhook-waiting/7/***'],
  ['/webhook/orders/7?token=a-token', '/webhook/orders/7'],
  ['/webhook/webhook-waiting-list/orders', '/webhook/webhook-waiting-list/orders'],
])('the path %s is logged as %s', async (path, logged) => {
  const line = Promise.withResolvers<unknown>();
  const logger = { info: (fields: object, text: string) => line.resolve([fields, text]) } as Logger;
  const app = express();
  app.use((request, _response, next) => {
    setRequestState(request, { requestId: 'one' });
    next();
  });
  app.use(accessLog(logger), (_request, response) => void response.end());
  server.removeAllListeners('request').on('request', app).listen(0, '127.0.0.1');
  await once(server, 'listening');

  // `fetch` would normalize the path.
  request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', path }, (response) => response.resume()).end();

  expect(await line.promise).toEqual([expect.objectContaining({ path: logged, status: 200 }), 'request completed']);
});
