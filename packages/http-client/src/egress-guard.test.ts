import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEgressGuard } from './egress-guard.ts';
import { type LoopbackServer, listening } from './testing/loopback-server.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await listening(createServer((_request, response) => response.end('hello')));
});
afterAll(() => server.close());

const guardWith = (ssrfAllow: string[] = []) => createEgressGuard({ ssrfProtection: 'on', ssrfAllow });

describe('createEgressGuard', () => {
  test.each([
    ['http://127.0.0.1/', 'HTTP_BLOCKED'],
    ['http://[::1]:5678/', 'HTTP_BLOCKED'],
    ['http://2130706433/', 'HTTP_BLOCKED'],
    ['http://169.254.169.254/latest/meta-data', 'HTTP_BLOCKED'],
    ['http://localhost/', 'HTTP_BLOCKED'],
    ['ftp://192.0.2.1/', 'HTTP_INVALID_URL'],
    ['not a URL', 'HTTP_INVALID_URL'],
  ])('refuses %s', async (url, code) => {
    await expect(guardWith()?.check(url)).rejects.toMatchObject({ code });
  });

  test('lets pass what is public, and what the allow-list names', async () => {
    await expect(guardWith()?.check('https://93.184.215.14/')).resolves.toBeUndefined();
    await expect(guardWith(['localhost'])?.check('http://localhost/')).resolves.toBeUndefined();
  });

  const request = (ssrfAllow?: string[]) => {
    const guard = guardWith(ssrfAllow);
    const asked = get({
      host: 'localhost',
      port: server.port,
      family: 4,
      agent: false,
      ...(guard && { lookup: guard.lookup }),
    });
    return once(asked, 'response').then(([response]) => void response.resume());
  };

  test('its look-up refuses a name that leads to a private address, when the connection is made', async () => {
    await expect(request()).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    await expect(request(['localhost'])).resolves.toBeUndefined();
  });

  test('there is none where the protection is off', () => {
    expect(createEgressGuard({ ssrfProtection: 'off', ssrfAllow: [] })).toBeUndefined();
  });
});
