import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { scopes } from '@sluice/domain';
import { type TestDatabase, testDatabase } from '@sluice/test-support';
import { ensureBootstrap } from '../src/bootstrap.ts';
import { ApiKeyRepository } from '../src/users/api-key-repository.ts';

let database: TestDatabase;
let keys: ApiKeyRepository;

beforeEach(async () => {
  database = await testDatabase();
  keys = new ApiKeyRepository(database.db.kysely);
});
afterEach(() => database.drop());

describe('ensureBootstrap', () => {
  test('creates one owner, one personal project, and one key, even if many processes start concurrently', async () => {
    const results = await Promise.all([1, 2, 3].map(() => ensureBootstrap(database.db.kysely, { bootstrapApiKey: null })));
    const generated = results.flatMap(({ generatedKey }) => generatedKey ?? []);
    expect(generated).toHaveLength(1);
    expect(new Set(results.map(({ ownerId }) => ownerId)).size).toBe(1);
    const memberships = [{ projectId: expect.any(String), role: 'project:admin', isPersonal: true }];
    const key = { role: 'owner', scopes, expiresInMs: null, memberships };
    expect(await keys.findByRawKey(generated[0] ?? '')).toMatchObject({ state: 'known', key });
  });

  test('adds a key of any format to existing keys, and can be repeated', async () => {
    await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null });
    const bootstrapApiKey = 'any string of visible characters'.replaceAll(' ', '-');
    for (const _ of [1, 2])
      expect((await ensureBootstrap(database.db.kysely, { bootstrapApiKey })).generatedKey).toBeUndefined();
    expect(await keys.findByRawKey(bootstrapApiKey)).toMatchObject({ key: { role: 'owner' } });
    const rows = await database.db.kysely.selectFrom('api_keys').select(['redacted_key', 'key_hash']).execute();
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(bootstrapApiKey).not.toContain(row.redacted_key);
  });

  test('does not reactivate a revoked key', async () => {
    const bootstrapApiKey = 'a-key-that-will-be-revoked';
    const { ownerId } = await ensureBootstrap(database.db.kysely, { bootstrapApiKey });
    const [key] = await keys.listOf(ownerId);
    await keys.revoke(key?.id ?? '', ownerId, () => undefined);
    await ensureBootstrap(database.db.kysely, { bootstrapApiKey });
    expect(await keys.findByRawKey(bootstrapApiKey)).toMatchObject({ state: 'revoked' });
  });
});
