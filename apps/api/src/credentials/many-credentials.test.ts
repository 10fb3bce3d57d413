import { describe, expect, test } from '@jest/globals';
import { Access, type Credential, type CredentialFilter, type CredentialRepository, type ProjectRepository } from '@sluice/db';
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
const all = Array.from({ length: 500 }, (_, at) => ({ id: String(at), type: 'probe', sealed: {} }) as Credential);
const withIds = async ({ ids }: CredentialFilter) => {
  await new Promise(setImmediate);
  return all.filter(({ id }) => ids?.includes(id) ?? true);
};
const credentials = {
  sealedBytes: async () => 0,
  list: withIds,
  listSealed: withIds,
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

describe('the search for unconnected credentials', () => {
  test('lists the credentials of all types with one query', async () => {
    const filters: CredentialFilter[] = [];
    const list = async (filter: CredentialFilter) => {
      filters.push(filter);
      return [];
    };
    const types = ['one', 'two', 'three'].map((name) => ({ ...type, name }));
    const reading = { list, listSealed: withIds };
    await new CredentialHealth({ credentials: reading, types, vault }).list(caller);
    expect(filters).toEqual([{ type: ['one', 'two', 'three'] }]);
  });

  test('reads the data of few at a time, and only until its list is full', async () => {
    const batches: number[] = [];
    const listSealed = async (filter: CredentialFilter) => {
      const batch = await withIds(filter);
      batches.push(batch.length);
      return batch;
    };
    const reading = { list: withIds, listSealed };
    const problems = await new CredentialHealth({ credentials: reading, types: [type], vault }).list(caller);
    expect(problems.map(({ id }) => id)).toEqual(all.slice(0, 100).map(({ id }) => id));
    expect(batches).toEqual(Array.from({ length: 7 }, () => 16));
  });
});
