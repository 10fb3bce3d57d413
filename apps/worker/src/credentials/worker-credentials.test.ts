import { expect, test } from '@jest/globals';
import type { CredentialOpener } from '@sluice/credentials';
import { UnavailableError } from '@sluice/domain';
import { WorkerCredentials } from './worker-credentials.ts';

const subject = { id: 'c', type: 'httpBasicAuth' };

/** Credentials whose first lookup fails as during an outage. */
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

test('an outage of the database delays a node with a credential, and does not fail it', async () => {
  const { signal } = new AbortController();
  expect(await credentials().forExecution('1', signal).open(subject, signal)).toEqual({ name: 'a credential' });
});

test('the end of the execution ends the delay', async () => {
  const signal = AbortSignal.abort();
  await expect(credentials().forExecution('1', signal).open(subject, signal)).rejects.toThrow('the database cannot be reached');
});
