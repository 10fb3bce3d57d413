import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { selfSigned } from '@sluice/http-client/testing';
import { realPorts } from '../testing/credential-ports.ts';
import { type ImapServer, type ImapServing, imapServer } from '../testing/imap-server.ts';
import { openImap } from './imap-client.ts';
import type { ConnectPort } from './open-socket.ts';

const ports = realPorts();
const signal = new AbortController().signal;
const password = 'correct horse';
let server: ImapServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => ports.close());

async function serve(serving?: ImapServing): Promise<void> {
  server = await imapServer(password, serving);
}

async function logIn(data: object = {}, through: ConnectPort = ports): Promise<void> {
  const login = { host: '127.0.0.1', port: server?.port ?? 0, secure: false, user: 'ann', password };
  const { close } = await openImap({ ...login, ...data }, through, signal);
  await close();
}

const atOnce = (count: number, login: () => Promise<void>) => Promise.all(Array.from({ length: count }, () => login()));

describe('the server’s greeting is received', () => {
  test('sent before the socket is open', async () => {
    await serve();
    const connect: ConnectPort['connect'] = async (...to) => {
      const socket = await ports.connect(...to);
      while (socket.readableLength === 0) await nextTurn();
      return socket;
    };
    await atOnce(20, () => logIn({}, { connect }));
  });

  test.each(Array.from({ length: 10 }, (_, turns) => [turns]))('sent %d turns of the event loop later', async (turns) => {
    await serve({ greetsAfter: turns });
    await atOnce(10, logIn);
  });

  test.each([0, 1, 2, 5])('sent %d turns after the TLS handshake', async (turns) => {
    await serve({ certificate: selfSigned, greetsAfter: turns });
    await atOnce(10, () => logIn({ secure: true, allowUnauthorizedCerts: true }));
  });
});

describe('a server’s host name', () => {
  const hosts: string[] = [];
  const connect: ConnectPort['connect'] = (host, _port, options) => {
    hosts.push(host);
    return ports.connect('127.0.0.1', server?.port ?? 0, options);
  };

  test.each([
    ['mail_1.example', 'mail_1.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::2]', '2001:db8::2'],
  ])('%s is looked up as %s', async (host, expected) => {
    await serve();
    await logIn({ host }, { connect });
    expect(hosts.splice(0)).toEqual([expected]);
  });

  test('that is invalid is reported', async () => {
    await expect(logIn({ host: 'mail example' }, { connect })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(hosts).toEqual([]);
  });
});
