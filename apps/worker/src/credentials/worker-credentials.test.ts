import { expect, test } from '@jest/globals';
import { CredentialOpener } from '@sluice/credentials';
import { UnavailableError } from '@sluice/domain';
import { type CredentialPorts, defineCredentialType } from '@sluice/node-sdk';
import { generateMasterKey, KeyRing, Vault } from '@sluice/vault';
import { WorkerCredentials } from './worker-credentials.ts';

const subject = { id: 'c', type: 'httpBasicAuth' };

/** Credentials whose first lookup fails as in an outage. */
function credentials(): WorkerCredentials {
  let isDown = true;
  const find = async () => {
    if (!isDown) return { type: 'httpBasicAuth', name: 'a credential', usable: true, sealed: {} };
    isDown = false;
    throw new UnavailableError('the database cannot be reached');
  };
  const open = async (...[{ id }, { user }]: Parameters<CredentialOpener['open']>) => ({
    data: { name: (await user.find(id))?.name ?? '' },
    stored: {},
    secrets: [],
  });
  const uses = { find } as unknown as ConstructorParameters<typeof WorkerCredentials>[1];
  return new WorkerCredentials({ open, hostChecks: () => ({}) } as unknown as CredentialOpener, uses);
}

/** A credential with an expired token. The first claim of its renewal fails as in an outage. */
function expiredCredential(): WorkerCredentials {
  const vault = new Vault(KeyRing.parse([generateMasterKey()]));
  const type = defineCredentialType({
    name: subject.type,
    displayName: 'Expiring',
    properties: [{ displayName: 'Token', name: 'token', type: 'string', default: '', typeOptions: { password: true } }],
    renewal: { isDue: ({ token }) => token === 'old', renew: async () => ({ token: 'new' }) },
  });
  let isDown = true;
  const claimRenewal = async () => {
    if (!isDown) return 'renewal';
    isDown = false;
    throw new UnavailableError('the database cannot be reached');
  };
  const opener = new CredentialOpener({
    credentialUses: { claimRenewal, storeRenewed: async () => true, releaseRenewal: async () => undefined },
    vault,
    types: { find: () => type },
    ports: { now: () => 0 } as unknown as CredentialPorts,
    audit: { record: () => undefined },
  });
  const row = { type: subject.type, name: 'a credential', usable: true, sealed: vault.seal(subject, { token: 'old' }) };
  return new WorkerCredentials(opener, { find: async () => row } as unknown as ConstructorParameters<
    typeof WorkerCredentials
  >[1]);
}

test('a database outage delays a node with a credential but does not fail it', async () => {
  const { signal } = new AbortController();
  expect(await credentials().forExecution('1', signal).open(subject, signal)).toEqual({ name: 'a credential' });
});

test('a database outage delays the renewal of a token but does not fail the node', async () => {
  const { signal } = new AbortController();
  expect(await expiredCredential().forExecution('1', signal).open(subject, signal)).toEqual({ token: 'new' });
});

test('the end of the execution ends the delay', async () => {
  const signal = AbortSignal.abort();
  await expect(credentials().forExecution('1', signal).open(subject, signal)).rejects.toThrow('the database cannot be reached');
});
