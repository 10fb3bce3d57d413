import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { allowedHeaders, sendWebhookResponse } from './send-response.ts';

const namesOf = (...names: string[]) =>
  allowedHeaders(Object.fromEntries(names.map((name) => [name, 'v'])), '/webhook/app').map(([name]) => name);

test('a response can set headers for documents, APIs, and applications', () => {
  const names = [
    'Content-Type',
    'Location',
    'Set-Cookie',
    'ETag',
    'Retry-After',
    'X-Total-Count',
    'HX-Redirect',
    'Mcp-Session-Id',
  ];
  expect(namesOf(...names)).toEqual(names);
});

test.each([
  ...[
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Content-Security-Policy',
    'Strict-Transport-Security',
    'Clear-Site-Data',
  ],
  ...[
    'NEL',
    'Report-To',
    'Reporting-Endpoints',
    'Alt-Svc',
    'Service-Worker-Allowed',
    'Origin-Agent-Cluster',
    'Accept-CH',
    'SourceMap',
  ],
  ...['X-Accel-Redirect', 'X-Sendfile', 'X-Content-Type-Options', 'X-Frame-Options', 'X-Request-Id', 'X-Forwarded-For'],
  ...['X-LiteSpeed-Location', 'X-LIGHTTPD-send-file', 'X-Reproxy-URL', 'X-Envoy-Immediate-Health-Check-Fail'],
  ...['Access-Control-Allow-Credentials', 'Some-Header-Of-Next-Year', '__proto__', 'X-a b', ''],
])('a response may not set %j', (name) => {
  expect(namesOf(name)).toEqual([]);
});

test('a header that may repeat is sent with all its values, any other header with the last one', () => {
  const headers = {
    'Set-Cookie': ['a=1', 'b=2\n'],
    'X-A': ['1', '2'],
    'content-type': ['text/html', 'text/css'],
    Location: [],
  };
  expect(allowedHeaders(headers, '/webhook/app')).toEqual([
    ['Set-Cookie', ['a=1; Path=/webhook/app', 'b=2 ; Path=/webhook/app']],
    ['X-A', ['1', '2']],
    ['content-type', 'text/css'],
    ['Location', ''],
  ]);
});

test.each([
  ['a=1', 'a=1; Path=/webhook/app'],
  ['a=1; Path=/; HttpOnly; Secure', 'a=1; HttpOnly; Secure; Path=/webhook/app'],
  ['a=1; PATH = /executions;domain=.example.com ; Max-Age=9', 'a=1; Max-Age=9; Path=/webhook/app'],
  ['a=b=c; path=/webhook/app; SameSite=Lax', 'a=b=c; path=/webhook/app; SameSite=Lax'],
  ['a=1; path = /webhook/app/login', 'a=1; path = /webhook/app/login'],
  ['Path=/; Path=/webhook; Path=/', 'Path=/; Path=/webhook/app'],
  // Browsers ignore attributes longer than 1,024 characters, and trim spaces and tabs only.
  [`a=1; Path=/webhook/app/${'x'.repeat(1_024)}`, 'a=1; Path=/webhook/app'],
  ['a=1; \u00a0Path=/webhook/app', 'a=1; \u00a0Path=/webhook/app; Path=/webhook/app'],
  ['a=1; Path=\u00a0/webhook/app', 'a=1; Path=/webhook/app'],
  ...['/webhook', '/webhook/', '/webhook/other', '/webhook/application', 'webhook/app', '', '"/webhook/app"'].map((path) => [
    `a=1; Path=${path}`,
    'a=1; Path=/webhook/app',
  ]),
])('the cookie %j is restricted to the addresses of its workflow: %j', (cookie, confined) => {
  expect(allowedHeaders({ 'Set-Cookie': cookie }, '/webhook/app')).toEqual([['Set-Cookie', [confined]]]);
});

test.each([
  'multipart/x-mixed-replace; boundary=a',
  ' Multipart/X-Mixed-Replace',
  ['text/html', 'multipart/x-mixed-replace'],
  'multipart\u0000/x-mixed-replace',
])('the type %j, whose parts could set cookies, is not sent', (type) =>
  expect(allowedHeaders({ 'Content-Type': type }, undefined)).toEqual([]),
);

test('no header value contains a line break', () => {
  expect(allowedHeaders({ 'content-type': 'text/html\r\nX: y', 'x-a': 'ä\u2028' }, undefined)).toEqual([
    ['content-type', 'text/html  X: y'],
    ['x-a', 'ä '],
  ]);
});

test.each(['Set-Cookie', 'set-cookie'])('a workflow cannot set a cookie that binds a connection to a browser (%s)', (name) => {
  const forged = ['__Host-sluice-connect-0123456789abcdef=v; Path=/', '\u0000sluice-connect-0=v', '=sluice-connect-0=v'];
  expect(allowedHeaders({ [name]: ['a=1', ...forged] }, '/form/a')).toEqual([[name, ['a=1; Path=/form/a']]]);
  for (const cookie of forged) expect(allowedHeaders({ [name]: cookie }, '/form/a')).toEqual([]);
});

test('responses that clients do not read have a limit', async () => {
  const aSlow = (ip: string) => {
    const response = Object.assign(new EventEmitter(), {
      req: { method: 'GET', ip },
      locals: {},
      destroyed: false,
      status: () => response,
      setHeader() {},
      hasHeader: () => false,
      setTimeout() {},
      end() {},
      destroy() {
        response.destroyed = true;
      },
    });
    return response;
  };
  const [first, second] = [aSlow('192.0.2.1'), aSlow('192.0.2.2')];
  for (const response of [first, second]) {
    const outcome = { status: 200, headers: {}, body: { kind: 'text' as const, text: 'x'.repeat(70 * 1024 * 1024) } };
    await sendWebhookResponse(response as unknown as Response, outcome);
  }
  expect([first.destroyed, second.destroyed]).toEqual([true, false]);
  second.emit('close');
});
