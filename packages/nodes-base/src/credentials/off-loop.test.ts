import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createConnectGuard, guardedConnect } from '@sluice/http-client';
import type { LoopbackServer } from '@sluice/http-client/testing';
import type { CredentialTestResult, JsonObject } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { amqpServer } from '../testing/amqp-server.ts';
import { fakePorts, realPorts } from '../testing/credential-ports.ts';
import { hostileBytes, hostileServer, hostileTimings, serving } from '../testing/hostile-servers.ts';
import { sshServer } from '../testing/ssh-server.ts';
import { connectionTypes } from './connection-types.ts';
import { createCredentialTypeRegistry } from './credential-type-registry.ts';

const types = createCredentialTypeRegistry();
const ports = realPorts();
const servers: LoopbackServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
afterAll(() => ports.close());

/** Maximum CPU time, in milliseconds, that may block the event loop. */
const maxStallMs = 250;
/** Maximum time that a test may wait for a hostile server, in milliseconds. */
const patienceMs = 6_000;

const { signal } = new AbortController();

async function started<T extends LoopbackServer>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  servers.push(server);
  return server;
}

/** The ways in which types specify a server. */
const dataFor = ({ port }: LoopbackServer): JsonObject => ({
  host: '127.0.0.1',
  hostname: '127.0.0.1',
  brokers: `127.0.0.1:${port}`,
  connectionString: `mongodb://127.0.0.1:${port}/db?directConnection=true`,
  port,
  user: 'ann',
  username: 'ann',
  password: 'correct horse',
  secure: false,
  ssl: false,
});

async function tested(type: string, data: JsonObject, outgoing = ports, over = signal): Promise<CredentialTestResult> {
  const { test: run } = types.find(type) ?? {};
  if (!run) throw new Error(`no test of ${type}`);
  return run(data, outgoing, over);
}

/** The test's outcome, at the latest after its time limit. */
async function ending(type: string, data: JsonObject): Promise<string> {
  const over = AbortSignal.timeout(patienceMs);
  try {
    const { status, message } = await tested(type, data, ports, over);
    return status === 'OK' || message === '' ? `unexpected: ${status} ${message}` : 'an error';
  } catch (error) {
    return error === over.reason ? 'no answer' : `unexpected: ${String(error)}`;
  }
}

describe('a server of the wrong kind', () => {
  const attacks: Readonly<Record<string, string[]>> = {
    amqp: ['countless nulls of AMQP', 'nested frames of AMQP'],
    kafka: ['zero bytes', 'negative lengths'],
    mongoDb: ['zero bytes', 'tiny lengths'],
    mySql: ['zero bytes'],
    imap: ['capabilities of IMAP'],
  };

  test('neither blocks the event loop nor ends the process', async () => {
    const attempts = Object.entries(attacks).flatMap(([type, names]) => names.map((name) => ({ type, name })));
    const endings: string[] = [];
    const busy = await longestBusy(() =>
      Promise.all(
        attempts.map(async ({ type, name }, seed) => {
          const source = hostileBytes[name]?.(seed + 1);
          const server = await started(source ? hostileServer(source) : Promise.reject(new Error(`no attack ${name}`)));
          endings.push(`${type}, ${name}: ${await ending(type, dataFor(server))}`);
        }),
      ),
    );
    expect(endings.filter((text) => text.includes('unexpected'))).toEqual([]);
    expect(busy).toBeLessThan(maxStallMs);
  }, 60_000);

  test('is reported with the reason', async () => {
    const { port } = await started(hostileServer(hostileBytes['zero bytes']?.(1) ?? (() => Buffer.alloc(0))));
    const { status, message } = await tested('kafka', { brokers: `127.0.0.1:${port}`, ssl: false });
    expect([status, message]).toEqual(['Error', expect.stringContaining("the server's response cannot be read: ")]);
  });

  test('is disconnected if it floods the connection', async () => {
    const server = await started(serving(hostileTimings['sends without end'] ?? (() => undefined)));
    const { status, message } = await tested('kafka', dataFor(server));
    expect([status, message]).toEqual(['Error', expect.stringContaining('too much data')]);
  }, 30_000);
});

describe('on a thread', () => {
  test('a test passes', async () => {
    const server = await started(amqpServer('correct horse'));
    expect(await tested('amqp', dataFor(server))).toEqual({ status: 'OK', message: 'the connection works' });
    const refused = await tested('amqp', { ...dataFor(server), password: 'wrong one' });
    expect(refused).toMatchObject({ status: 'Error', message: expect.stringContaining('does not accept') });
  });

  test('the first host key is fetched', async () => {
    const server = await started(sshServer('correct horse'));
    const renewed = await types.find('sftp')?.renewal?.renew({ ...dataFor(server), trustFirstHostKey: true }, ports, signal);
    expect(renewed).toMatchObject({ trustedHostKey: { fingerprint: server.fingerprint } });
  });

  test('the host’s guard decides which connections are allowed', async () => {
    const server = await started(amqpServer('correct horse'));
    const connectGuard = createConnectGuard({
      ssrfProtection: 'off',
      ssrfAllow: [],
      ownEndpoints: [{ host: 'localhost', port: server.port }],
    });
    const guarded = { ...ports, connectGuard, connect: guardedConnect(connectGuard) };
    const message = 'this address is not allowed by the policy for outgoing connections';
    for (const type of ['amqp', 'mongoDb', 'imap', 'kafka'])
      expect([type, await tested(type, dataFor(server), guarded)]).toEqual([type, { status: 'Error', message }]);
    const renewing = types.find('sftp')?.renewal?.renew({ ...dataFor(server), trustFirstHostKey: true }, guarded, signal);
    await expect(renewing).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
    expect(server.clients).toEqual([]);
  });

  test.each([
    ['host', { hostname: 'localhost' }],
    ['port', {}],
  ])('an unresponsive server leaves a slot for servers with another %s', async (_, other) => {
    const dataOf = ({ port }: LoopbackServer) => ({ hostname: '127.0.0.1', port, username: 'ann', password: 'correct horse' });
    const silent = await started(serving(hostileTimings['says nothing'] ?? (() => undefined)));
    const ending = new AbortController();
    const hanging = Array.from({ length: 8 }, () => tested('amqp', dataOf(silent), ports, ending.signal).catch(() => 'ended'));
    const server = await started(amqpServer('correct horse'));
    const answered = tested('amqp', { ...dataOf(server), ...other }, ports, AbortSignal.timeout(patienceMs));
    const result = await answered.catch(String);
    ending.abort(new Error('the test is over'));
    expect(await Promise.all(hanging)).toEqual(hanging.map(() => 'ended'));
    expect(result).toMatchObject({ status: 'OK' });
  });

  test('a test ends with its signal', async () => {
    const server = await started(serving(hostileTimings['says nothing'] ?? (() => undefined)));
    const over = AbortSignal.timeout(300);
    const reason = await tested('redis', dataFor(server), ports, over).catch((error: unknown) => error);
    expect(reason).toBe(over.reason);
  });
});

test('tests of other types open no connection', async () => {
  const others = types.list().filter(({ name, test: run }) => run && !Object.hasOwn(connectionTypes, name));
  expect(others.length).toBeGreaterThan(5);
  const data = dataFor({ port: 1, url: '', close: async () => undefined });
  for (const { test: run } of others) {
    const refused = { ...fakePorts(), connect: () => Promise.reject(new Error('a connection')) };
    expect((await run?.(data, refused, signal))?.message).not.toMatch(/a connection|opens no connections/);
  }
});
