import { afterAll, describe, expect, test } from '@jest/globals';
import {
  Access,
  ApiKeyRepository,
  CredentialRepository,
  generateApiKey,
  inTransaction,
  ProjectRepository,
  UserRepository,
} from '@sluice/db';
import { randomId } from '@sluice/domain';
import { eventually, testDatabase } from '@sluice/test-support';
import { emptyProject } from '../src/projects/project-content.ts';
import { isLockAwaited } from './is-lock-awaited.ts';

const everywhere = new Access('all');

const database = await testDatabase();
const users = new UserRepository(database.db.kysely);
const projects = new ProjectRepository(database.db.kysely);
await users.create({ email: 'owner@example.com', role: 'owner' });
afterAll(() => database.drop());

const aUser = () => users.create({ email: `${randomId()}@example.com`, role: 'member' });
const aTeam = async () => (await projects.createTeam({ name: 'team' })).id;

async function aCredential(projectId: string): Promise<string> {
  const bytes = Buffer.from('bytes');
  const sealed = { version: 1, keyId: 'k', wrappedDek: bytes, iv: bytes, ciphertext: bytes, tag: bytes };
  const head = { id: randomId(), name: 'c', type: 'httpBasicAuth', isGlobal: false, isResolvable: false };
  return (await new CredentialRepository(database.db.kysely).create({ ...head, projectId, sealed })).id;
}

test('the transaction that Postgres rolls back in a deadlock is retried', async () => {
  const { kysely } = database.db;
  const [one, two] = [await aTeam(), await aTeam()];
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  let attempts = 0;
  const rename = (first: string, then: string, name: string) =>
    inTransaction(kysely, async (tx) => {
      attempts += 1;
      await tx.updateTable('projects').set({ name }).where('id', '=', first).execute();
      if (++holding === 2) bothHold.resolve();
      await bothHold.promise;
      await tx.updateTable('projects').set({ name }).where('id', '=', then).execute();
    });

  await Promise.all([rename(one, two, 'a'), rename(two, one, 'b')]);

  // The retried transaction may conflict with the other transaction again.
  expect(attempts).toBeGreaterThanOrEqual(3);
});

describe('the deletion of a user', () => {
  test('waits for a key that is being created for the user and also revokes it', async () => {
    const { kysely } = database.db;
    const { id: userId } = await aUser();
    const rawKey = generateApiKey();
    const created = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const creation = inTransaction(kysely, async (tx) => {
      const key = { userId, label: 'k', rawKey, scopes: [], expiresAt: null };
      await new ApiKeyRepository(tx).create(key);
      created.resolve();
      await mayCommit.promise;
    });
    await created.promise;

    const deletion = users.delete(userId, () => undefined);
    await eventually(() => isLockAwaited(database.db));
    mayCommit.resolve();
    await Promise.all([creation, deletion]);

    expect(await new ApiKeyRepository(kysely).findByRawKey(rawKey)).toMatchObject({ state: 'revoked' });
  });

  test('rejects a key that is created too late', async () => {
    const { id: userId } = await aUser();
    await users.delete(userId, () => undefined);
    const key = { userId, label: 'k', rawKey: generateApiKey(), scopes: [], expiresAt: null };
    await expect(new ApiKeyRepository(database.db.kysely).create(key)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a move into a project that is being deleted waits for the deletion before it locks anything', () => {
  const access = { access: everywhere, members: everywhere, destinations: everywhere };
  const moves: [string, (id: string, team: string) => Promise<unknown>][] = [
    ['a share', (id, team) => new CredentialRepository(database.db.kysely).replaceShares(id, [team], access)],
    ['a transfer', (id, team) => new CredentialRepository(database.db.kysely).transfer(id, team, access)],
  ];

  test.each(moves)('%s of a credential', async (_, move) => {
    const { kysely } = database.db;
    const [team, id] = [await aTeam(), await aCredential(await aTeam())];
    let moving: Promise<unknown> = Promise.resolve();

    await kysely.transaction().execute(async (tx) => {
      await emptyProject(tx, team, undefined);
      moving = move(id, team).catch((error: unknown) => error);
      await eventually(() => isLockAwaited(database.db));
      const free = await tx.selectFrom('credentials').select('id').where('id', '=', id).forUpdate().noWait().execute();
      expect(free).toHaveLength(1);
      await tx.deleteFrom('projects').where('id', '=', team).execute();
    });

    expect(await moving).toMatchObject({ code: 'NOT_FOUND' });
  });
});
