import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createAddressPolicy } from './address-policy.ts';
import { createEgressGuard } from './egress-guard.ts';
import { listening } from './testing/loopback-server.ts';

const server = await listening(createServer((_request, response) => response.end('hello')));
afterAll(() => server.close());

const guardWith = (ssrfAllow: string[] = []) => createEgressGuard(createAddressPolicy({ ssrfProtection: 'on', ssrfAllow }));

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
    await expect(guardWith().check(url)).rejects.toMatchObject({ code });
  });

  test('allows public targets and targets in the allow-list', async () => {
    await expect(guardWith().check('https://93.184.215.14/')).resolves.toBeUndefined();
    await expect(guardWith(['localhost']).check('http://localhost/')).resolves.toBeUndefined();
  });

  const request = (ssrfAllow?: string[]) => {
    const guard = guardWith(ssrfAllow);
    const pending = get({
      host: 'localhost',
      port: server.port,
      family: 4,
      agent: false,
      lookup: guard.lookup,
    });
    return once(pending, 'response').then(([response]) => void response.resume());
  };

  test('its lookup blocks a name with a private address at connection time', async () => {
    await expect(request()).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    await expect(request(['localhost'])).resolves.toBeUndefined();
  });

  test("blocks the service's own endpoints even if the protection is off, and their hosts if the port is unknown", async () => {
    const { port } = server;
    const ownEndpoints = [{ host: '127.0.0.1', port }];
    const guard = createEgressGuard(createAddressPolicy({ ssrfProtection: 'off', ssrfAllow: [], ownEndpoints }));
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '[::1]', '[::ffff:7f00:1]'])
      await expect(guard.check(`http://${host}:${port}/`)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    await expect(guard.check(`http://localhost:${port - 1}/`)).resolves.toBeUndefined();
    const pending = get({ host: 'localhost', port, family: 4, agent: false, lookup: guard.lookup });
    await expect(once(pending, 'response')).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
  });
});
