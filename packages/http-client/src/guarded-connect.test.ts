import { once } from 'node:events';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, test } from '@jest/globals';
import { unknownEndpointError } from './errors.ts';
import { createConnectGuard, guardedConnect } from './guarded-connect.ts';
import { selfSigned } from './testing/certificate.ts';
import { listening } from './testing/loopback-server.ts';

const never = new AbortController().signal;

const server = await listening(createServer((socket) => void socket.end('hello')));
const { port } = server;
afterAll(() => server.close());

const connectWith = (ssrfProtection: 'on' | 'strict' | 'off', ssrfAllow: string[] = []) =>
  guardedConnect(createConnectGuard({ ssrfProtection, ssrfAllow }));

describe('guardedConnect', () => {
  test.each(['on', 'off'] as const)('reaches private targets where the protection is %s', async (protection) => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const socket = await connectWith(protection)(host, port, { signal: never });
      expect(String((await once(socket, 'data'))[0])).toBe('hello');
      socket.destroy();
    }
  });

  test.each(['127.0.0.1', 'localhost', '::1', '[::1]', '::ffff:127.0.0.1', '169.254.169.254', '0.0.0.0'])(
    'refuses %s if strict',
    async (host) => {
      await expect(connectWith('strict')(host, port, { signal: never })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
    },
  );

  test.each([
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '169.254.170.2',
    'fe80::1',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
  ])('refuses %s, a metadata service of a cloud, unless the protection is off or the allow-list contains it', async (host) => {
    const options = { ssrfProtection: 'on', ssrfAllow: [] } as const;
    await expect(guardedConnect(createConnectGuard(options))(host, 80, { signal: never })).rejects.toMatchObject({
      code: 'CONNECTION_BLOCKED',
    });
    const address = host.replace(/[[\]]/g, '');
    for (const allowing of [{ ssrfProtection: 'off' as const }, { ssrfAllow: [address] }])
      expect(await createConnectGuard({ ...options, ...allowing }).allows(address, [address], 80)).toBe(true);
  });

  test('reaches targets of the allow-list', async () => {
    const socket = await connectWith('strict', ['127.0.0.0/8'])('127.0.0.1', port, { signal: never });
    socket.destroy();
  });

  test.each(['127.0.0.1', 'localhost'])('refuses %s if its peer is refused once it is connected', async (host) => {
    let checks = 0;
    const ownEndpoints = {
      *[Symbol.iterator]() {
        checks += 1;
        if (checks > 1) yield { host: '127.0.0.1', port };
      },
    };
    const connect = guardedConnect(createConnectGuard({ ssrfProtection: 'off', ssrfAllow: [], ownEndpoints }));
    await expect(connect(host, port, { signal: never })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
    expect(checks).toBe(2);
  });

  test('fails temporarily if a host name of the service cannot be looked up', async () => {
    const connect = guardedConnect({ allows: () => Promise.reject(unknownEndpointError(new Error('EAI_AGAIN'))) });
    const failed = { code: 'CONNECTION_FAILED', retryable: true, message: expect.stringContaining('looked up right now') };
    await expect(connect('127.0.0.1', port, { signal: never })).rejects.toMatchObject(failed);
    await expect(connect('localhost', port, { signal: never })).rejects.toMatchObject(failed);
  });

  test('rejects TLS with a group that the server chooses', async () => {
    const options = { ...selfSigned, maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto' } as const;
    const secure = await listening(createTlsServer(options, (socket) => socket.on('error', () => {})));
    const opened = connectWith('off')('127.0.0.1', secure.port, { tls: { rejectUnauthorized: false }, signal: never });
    await expect(opened).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    await secure.close();
  });

  test('reports why a connection failed, without the address', async () => {
    const connect = connectWith('on');
    const refused = connect('127.0.0.1', 1, { signal: never });
    await expect(refused).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: 'no connection: the connection was refused',
    });
    await expect(connect('127.0.0.1', 70_000, { signal: never })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    await expect(connect('127.0.0.1', port, { tls: true, signal: never })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  test('rejects with the reason of its signal', async () => {
    const reason = new Error('enough');
    await expect(connectWith('on')('127.0.0.1', port, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
