import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { CredentialOpener, type CredentialOpenerOptions } from '@sluice/credentials';
import type { CredentialRepository, CredentialUseRepository } from '@sluice/db';
import { AppError, type JsonObject } from '@sluice/domain';
import { type CredentialPorts, type CredentialType, defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { generateMasterKey, KeyRing, Vault } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';
import { CredentialTester } from './credential-tester.ts';
import { CredentialTypes } from './credential-types.ts';

const never = new AbortController().signal;

const body = { credentials: { id: '', type: 'probe', data: { key: 'sentinel-key' } } };

function testerOf(test: TestCredential | undefined, timeoutMs = 20): CredentialTester {
  const defined = defineCredentialType({
    name: 'probe',
    displayName: 'Probe',
    properties: [
      { displayName: 'Key', name: 'key', type: 'string', default: '', required: true, typeOptions: { password: true } },
    ],
  });
  // A third-party type: its test lacks the guard that `defineCredentialType` adds.
  const type: CredentialType = { ...defined, ...(test && { test }) };
  return new CredentialTester({
    credentials: {} as CredentialRepository,
    opener: new CredentialOpener({} as CredentialOpenerOptions),
    types: new CredentialTypes({ find: () => type }),
    testOf: () => undefined,
    ports: {} as CredentialPorts,
    timeoutMs,
  });
}

const run = (test: TestCredential | undefined, signal = never) => testerOf(test).test(body, {} as Caller, signal);

describe('CredentialTester', () => {
  test('times out a test that ignores its signal', async () => {
    const result = await run(() => new Promise(() => {}));
    expect(result).toEqual({ status: 'error', message: 'no result within 0.02 seconds' });
  });

  test('runs a few tests of a user at once, so that unresponsive servers do not delay tests of others', async () => {
    const stop = Promise.withResolvers<void>();
    let running = 0;
    const tester = testerOf(async () => {
      running += 1;
      await stop.promise;
      return { status: 'OK', message: '' };
    }, 60_000);
    const by = (userId: string) => tester.test(body, { userId } as Caller, never);
    const hanging = Array.from({ length: 20 }, () => by('hostile'));
    await setImmediate();
    expect(running).toBe(5);
    const other = by('other');
    await setImmediate();
    expect(running).toBe(6);
    stop.resolve();
    expect(await Promise.all([other, ...hanging])).toHaveLength(21);
  });

  test('reports a type without a test', async () => {
    expect(await run(undefined)).toMatchObject({ status: 'error', message: expect.stringContaining('no way to test') });
  });

  test.each<[string, TestCredential]>([
    ['in the message of a failure', async () => ({ status: 'Error', message: 'refused: sentinel-key' })],
    ['in the message of a success', async () => ({ status: 'OK', message: 'welcome, sentinel-key' })],
    [
      'in an error',
      () => Promise.reject(new AppError({ code: 'HTTP_FAILED', message: `no response to ${btoa('sentinel-key')}` })),
    ],
    ['in an error of a library', () => Promise.reject(new Error('at sentinel-key'))],
  ])('discloses no secret %s', async (_, test) => {
    const { message } = await run(test);
    expect(message).not.toMatch(/sentinel/);
    expect(message).not.toContain(btoa('sentinel-key').slice(0, 10));
  });

  test('truncates a long message', async () => {
    const { message } = await run(async () => ({ status: 'Error', message: '🦊'.repeat(5_000) }));
    expect(message.length).toBeLessThanOrEqual(1_000);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe('for a type with sessions', () => {
  /** A service with one session at a time, `session-<n>`, and a test that sends a request to it. */
  function aService() {
    const vault = new Vault(KeyRing.parse([generateMasterKey()]));
    const service = { logins: 1, passwords: [] as string[], sessions: [] as string[], now: 1_000 };
    const type = defineCredentialType({
      name: 'session',
      displayName: 'Session',
      properties: [
        { displayName: 'Password', name: 'password', type: 'string', default: '', typeOptions: { password: true } },
        { displayName: 'Session', name: 'session', type: 'hidden', default: '' },
      ],
      preAuthentication: {
        validForMs: 60_000,
        async obtain({ password }) {
          service.passwords.push(String(password));
          if (password === 'wrong') throw new AppError({ code: 'HTTP_FAILED', message: 'the service refused the login' });
          service.logins += 1;
          return { session: `session-${service.logins}` };
        },
      },
      async test(data, { http }, signal) {
        const { status } = await http.request({ method: 'GET', url: `http://s/${data['session']}` }, signal);
        return status === 200
          ? { status: 'OK', message: 'in' }
          : { status: 'Error', message: `the service returned ${status}` };
      },
    });
    const subject = { id: '1', type: 'session' };
    const stored = { password: 'right', session: 'session-1', preAuthenticatedUntil: 50_000 };
    const row = { ...subject, name: 's', projectId: 'p', sealed: vault.seal(subject, stored) };
    const request = async ({ url }: { url: string }) => {
      const session = url.slice('http://s/'.length);
      service.sessions.push(session);
      return { status: session === `session-${service.logins}` ? 200 : 401 };
    };
    const types = new CredentialTypes({ find: () => type });
    const ports = { http: { request }, now: () => service.now } as unknown as CredentialPorts;
    const credentialUses = {
      claimRenewal: async () => 'r',
      async storeRenewed(_: string, __: string, sealed: typeof row.sealed) {
        row.sealed = sealed;
        return true;
      },
    } as unknown as CredentialUseRepository;
    const tester = new CredentialTester({
      credentials: { get: async () => row } as unknown as CredentialRepository,
      opener: new CredentialOpener({ credentialUses, vault, types, ports, audit: { record: () => undefined } }),
      types,
      testOf: () => undefined,
      ports,
      timeoutMs: 5_000,
    });
    const access = { 'project:editor': { includes: () => true } };
    const run = (id: string, data?: JsonObject) =>
      tester.test(
        { credentials: { id, type: 'session', ...(data && { data }) } },
        { access, scopes: new Set(['credential:update']) } as unknown as Caller,
        never,
      );
    const session = () => vault.open(subject, row.sealed)['session'];
    return { service, run, session };
  }

  test('stored data is tested with its session', async () => {
    const { service, run } = aService();
    expect(await run('1')).toEqual({ status: 'success', message: 'in' });
    expect(service).toMatchObject({ sessions: ['session-1'], passwords: [] });
  });

  test('a session that ended early is reopened once and stored', async () => {
    const { service, run, session } = aService();
    service.logins = 7;
    expect(await run('1')).toEqual({ status: 'success', message: 'in' });
    expect(service.sessions).toEqual(['session-1', 'session-8']);
    expect(session()).toBe('session-8');
  });

  test('a changed password is tested with a new session, not with the session of the previous password', async () => {
    const { service, run, session } = aService();
    expect(await run('1', { password: 'wrong' })).toEqual({ status: 'error', message: 'the service refused the login' });
    expect(service).toMatchObject({ sessions: [], passwords: ['wrong'] });
    expect(session()).toBe('session-1');
  });

  test('a credential that is not stored yet is tested with a new session', async () => {
    const { service, run } = aService();
    expect(await run('', { password: 'right' })).toEqual({ status: 'success', message: 'in' });
    expect(service).toMatchObject({ sessions: ['session-2'], passwords: ['right'] });
  });
});
