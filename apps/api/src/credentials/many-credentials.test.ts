import { expect, test } from '@jest/globals';
import { Access, type Credential, type CredentialRepository, type ProjectRepository } from '@sluice/db';
import { type CredentialType, defineCredentialType } from '@sluice/node-sdk';
import type { Vault } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';
import { CredentialHealth } from './credential-health.ts';
import { CredentialService } from './credential-service.ts';
import { CredentialTypes } from './credential-types.ts';

const type = {
  ...defineCredentialType({ name: 'probe', displayName: 'Probe', properties: [] }),
  consent: {},
} as CredentialType;
const credentials = {
  sealedBytes: async () => 0,
  listSealed: async () => Array.from({ length: 500 }, (_, at) => ({ id: String(at), type: 'probe', sealed: {} }) as Credential),
} as unknown as CredentialRepository;
/** Blocks for as long as a decryption on a busy machine. */
const vault = {
  open() {
    for (const until = performance.now() + 0.2; performance.now() < until; );
    return {};
  },
} as unknown as Vault;
const caller = { access: { 'project:viewer': new Access('all') } } as unknown as Caller;

/** Counts event loop turns until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

test.each<[string, () => Promise<unknown[]>]>([
  [
    'listing credentials with data',
    () => {
      const projects = {} as ProjectRepository;
      const types = new CredentialTypes({ find: () => type });
      const options = { credentials, projects, types, vault, license: 'enterprise' as const, revoker: { afterDeletion() {} } };
      const query = { includeData: true, includeScopes: false, includeGlobal: true, onlySharedWithMe: false };
      return new CredentialService(options).list(query, caller);
    },
  ],
  ['the search for unconnected credentials', () => new CredentialHealth({ credentials, types: [type], vault }).list(caller)],
])('%s lets other requests run on the event loop', async (_, work) => {
  expect(await turnsDuring(work())).toBeGreaterThan(3);
});

test('finding unconnected credentials takes one query, regardless of the number of types', async () => {
  const asked: unknown[] = [];
  const listSealed = async (filter: object) => {
    asked.push(filter);
    return [];
  };
  const types = ['one', 'two', 'three'].map((name) => ({ ...type, name }));
  await new CredentialHealth({ credentials: { listSealed }, types, vault }).list(caller);
  expect(asked).toEqual([{ type: ['one', 'two', 'three'] }]);
});
