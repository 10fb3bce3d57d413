import { describe, expect, test } from '@jest/globals';
import type { CredentialRepository, CredentialUseRepository } from '@sluice/db';
import { AppError } from '@sluice/domain';
import { type CredentialPorts, type CredentialType, defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { generateMasterKey, KeyRing, Vault } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';
import { CredentialTester } from './credential-tester.ts';
import { CredentialTypes } from './credential-types.ts';

const never = new AbortController().signal;

function testerOf(test: TestCredential | undefined): CredentialTester {
  const defined = defineCredentialType({
    name: 'probe',
    displayName: 'Probe',
    properties: [
      { displayName: 'Key', name: 'key', type: 'string', default: '', required: true, typeOptions: { password: true } },
    ],
  });
  // As a type of somebody else's would be: without the guard that `defineCredentialType` puts around a test.
  const type: CredentialType = { ...defined, ...(test && { test }) };
  return new CredentialTester({
    credentials: {} as CredentialRepository,
    renewals: {} as CredentialUseRepository,
    types: new CredentialTypes({ find: () => type }),
    testOf: () => undefined,
    vault: new Vault(KeyRing.parse([generateMasterKey()])),
    ports: {} as CredentialPorts,
    timeoutMs: 20,
  });
}

const run = (test: TestCredential | undefined, signal = never) =>
  testerOf(test).test({ credentials: { id: '', type: 'probe', data: { key: 'sentinel-key' } } }, {} as Caller, signal);

describe('CredentialTester', () => {
  test('ends a test that does not look at its signal', async () => {
    const result = await run(() => new Promise(() => {}));
    expect(result).toEqual({ status: 'error', message: 'no result within 0.02 seconds' });
  });

  test('says that a type cannot be tested', async () => {
    expect(await run(undefined)).toMatchObject({ status: 'error', message: expect.stringContaining('no way to test') });
  });

  test.each<[string, TestCredential]>([
    ['in a failure', async () => ({ status: 'Error', message: 'refused: sentinel-key' })],
    ['in a success', async () => ({ status: 'OK', message: 'welcome, sentinel-key' })],
    [
      'in an error',
      () => Promise.reject(new AppError({ code: 'HTTP_FAILED', message: `no answer to ${btoa('sentinel-key')}` })),
    ],
    ['in an error of a library', () => Promise.reject(new Error('at sentinel-key'))],
  ])('shows no secret %s', async (_, test) => {
    const { message } = await run(test);
    expect(message).not.toMatch(/sentinel/);
    expect(message).not.toContain(btoa('sentinel-key').slice(0, 10));
  });

  test('cuts a message that is longer than anybody reads', async () => {
    const { message } = await run(async () => ({ status: 'Error', message: '🦊'.repeat(5_000) }));
    expect(message.length).toBeLessThanOrEqual(1_000);
    expect(message.isWellFormed()).toBe(true);
  });
});
