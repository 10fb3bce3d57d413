import { afterAll, describe, expect, test } from '@jest/globals';
import { scopes } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { Access } from '../src/access.ts';
import { ProjectRepository } from '../src/projects/project-repository.ts';
import { AccessChangeRepository } from '../src/users/access-change-repository.ts';
import { generateApiKey } from '../src/users/api-key-format.ts';
import { type ApiKey, ApiKeyRepository } from '../src/users/api-key-repository.ts';
import { UserRepository } from '../src/users/user-repository.ts';

const database = await testDatabase();
const keys = new ApiKeyRepository(database.db.kysely);
const projects = new ProjectRepository(database.db.kysely);
const users = new UserRepository(database.db.kysely);
const user = await users.create({ email: 'Someone@Example.com', role: 'member' });
afterAll(() => database.drop());

function create(rawKey: string, expiresAt: Date | null = null): Promise<ApiKey> {
  return keys.create({ userId: user.id, label: 'l', rawKey, scopes: ['workflow:read'], expiresAt });
}

async function found(rawKey: string) {
  const lookUp = await keys.findByRawKey(rawKey);
  if (lookUp.state !== 'known') throw new Error(`the key is ${lookUp.state}`);
  return lookUp.key;
}

describe('keys that are created while their parent is revoked', () => {
  test('are revoked or rejected in every order of events', async () => {
    const child = (parentId: string) =>
      keys.create({ userId: user.id, label: 'c', rawKey: generateApiKey(), scopes: [], expiresAt: null, parentId });
    for (let round = 0; round < 10; round += 1) {
      const root = await create(generateApiKey());
      const parent = await child(root.id);
      const racing = await Promise.allSettled([
        child(parent.id),
        child(root.id),
        keys.revoke(root.id, user.id, () => undefined),
        child(parent.id),
        keys.revoke(parent.id, user.id, () => undefined),
        child(root.id),
      ]);
      const refusals = racing.flatMap((it) => (it.status === 'rejected' ? [it.reason.code] : []));
      expect(refusals.filter((code) => !['FORBIDDEN', 'NOT_FOUND'].includes(code))).toEqual([]);
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM api_keys WHERE (id = ${root.id} OR parent_id IN (${root.id}, ${parent.id})) AND revoked_at IS NULL`.execute(
        database.db.kysely,
      );
      expect(rows).toEqual([]);
    }
  });

  test('are rejected if their parent has just expired', async () => {
    const parent = await create(generateApiKey(), new Date(Date.now() - 1_000));
    const late = keys.create({
      userId: user.id,
      label: 'c',
      rawKey: generateApiKey(),
      scopes: [],
      expiresAt: null,
      parentId: parent.id,
    });
    await expect(late).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('are revoked if the user of their parent is deleted, even if they belong to other users', async () => {
    const leaving = await users.create({ email: 'leaving-parent@example.com', role: 'admin' });
    const parent = await keys.create({ userId: leaving.id, label: 'p', rawKey: generateApiKey(), scopes: [], expiresAt: null });
    const rawKey = generateApiKey();
    await keys.create({ userId: user.id, label: 'c', rawKey, scopes: [], expiresAt: null, parentId: parent.id });
    await users.delete(leaving.id, () => undefined);
    expect(await keys.findByRawKey(rawKey)).toMatchObject({ state: 'revoked' });
  });
});

test('keys do not get scopes that their parent loses concurrently', async () => {
  for (let round = 0; round < 10; round += 1) {
    const rawKey = generateApiKey();
    const parent = await create(rawKey);
    const child = () =>
      keys.create({
        userId: user.id,
        label: 'c',
        rawKey: generateApiKey(),
        scopes: ['workflow:read'],
        expiresAt: null,
        parentId: parent.id,
      });
    const shrink = keys.update(parent.id, user.id, () => ({ scopes: [] }));
    await Promise.allSettled([child(), child(), shrink, child(), child()]);
    const childKeys = database.db.kysely.selectFrom('api_keys').select('scopes').where('parent_id', '=', parent.id);
    expect((await childKeys.execute()).flatMap((row) => row.scopes)).toEqual([]);
  }
});

describe('ApiKeyRepository', () => {
  test('stores only the hash and the first and last characters of a key', async () => {
    const rawKey = generateApiKey();
    expect(await create(rawKey)).toMatchObject({ label: 'l', scopes: ['workflow:read'], lastUsedAt: null });
    const again = { userId: user.id, label: 'again', rawKey, scopes: [], expiresAt: null };
    expect(await keys.createUnlessKnown(again)).toBeUndefined();
    const row = await database.db.kysely.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    expect(row.redacted_key).toMatch(/^sluice_\w{3}\*{8}\w{4}$/);
    expect(row.key_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(rawKey.slice(12, 40));
  });

  test('finds keys with the memberships of their user, according to the database clock', async () => {
    const [good, expired] = [generateApiKey(), generateApiKey()];
    await create(good, new Date(Date.now() + 60_000));
    await create(expired, new Date(Date.now() - 60_000));
    const team = await projects.createTeam({ name: 'team' });
    await projects.setMember(team.id, user.id, 'project:viewer');
    await projects.setMember(team.id, user.id, 'project:editor');
    const key = await found(good);
    expect(key).toMatchObject({ userId: user.id, email: user.email, role: 'member', scopes: ['workflow:read'] });
    expect(Math.abs((key.expiresInMs ?? 0) - 60_000)).toBeLessThan(10_000);
    expect(key.memberships).toHaveLength(2);
    expect(key.memberships).toContainEqual({ projectId: team.id, role: 'project:editor', isPersonal: false });
    expect((await found(expired)).expiresInMs).toBeLessThan(0);
    expect(await keys.findByRawKey(generateApiKey())).toEqual({ state: 'unknown' });
  });

  test('recognizes a revoked key even after its user is deleted', async () => {
    const [one, other] = [generateApiKey(), generateApiKey()];
    const leaving = await users.create({ email: 'leaving@example.com', role: 'member', rawKey: one });
    expect((await found(one)).scopes).toEqual(scopes);
    await keys.create({ userId: leaving.id, label: 'other', rawKey: other, scopes: [], expiresAt: null });
    const { id } = await found(one);
    await keys.revoke(id, leaving.id, () => undefined);
    expect(await keys.findByRawKey(one)).toEqual({ state: 'revoked', id, userId: leaving.id });
    await users.delete(leaving.id, () => undefined);
    expect(await keys.findByRawKey(one)).toEqual({ state: 'revoked', id, userId: null });
    expect(await keys.findByRawKey(other)).toMatchObject({ state: 'revoked' });
    await expect(keys.revoke(id, leaving.id, () => undefined)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('records a use at most once per interval and changes nothing else', async () => {
    const rawKey = generateApiKey();
    const created = await create(rawKey);
    const read = async () => (await keys.listOf(user.id)).find(({ id }) => id === created?.id);
    await keys.touch([created?.id ?? ''], 60_000);
    const first = await read();
    expect(first?.lastUsedAt).not.toBeNull();
    await keys.touch([created?.id ?? ''], 60_000);
    expect(await read()).toEqual(first);
    expect(first?.updatedAt).toEqual(created?.updatedAt);
  });
});

describe('AccessChangeRepository', () => {
  test('reports exactly the users whose keys, roles, or memberships have changed', async () => {
    const changes = new AccessChangeRepository(database.db.kysely);
    const created = await create(generateApiKey());
    const team = await projects.createTeam({ name: 'watched' });
    let { version } = await changes.since(undefined);
    const changed = async () => {
      const next = await changes.since(version);
      version = next.version;
      return next.userIds;
    };
    await create(generateApiKey());
    await keys.touch([created?.id ?? ''], 0);
    await keys.update(created?.id ?? '', user.id, () => ({ label: 'renamed' }));
    expect(await changed()).toEqual([]);
    await keys.update(created?.id ?? '', user.id, () => ({ scopes: [] }));
    expect(await changed()).toEqual([user.id]);
    await keys.revoke(created?.id ?? '', user.id, () => undefined);
    expect(await changed()).toEqual([user.id]);
    await users.update(user.id, () => ({ role: 'admin' }));
    expect(await changed()).toEqual([user.id]);
    await projects.setMember(team.id, user.id, 'project:viewer');
    expect(await changed()).toEqual([user.id]);
    await projects.delete(team.id, new Access('all'));
    expect(await changed()).toEqual([user.id]);
    await users.update(user.id, () => ({ role: 'member' }));
    expect(await changed()).toEqual([user.id]);
    expect(await changed()).toEqual([]);
  });

  test('makes changes visible in the order of their numbers', async () => {
    const changes = new AccessChangeRepository(database.db.kysely);
    const { version } = await changes.since(undefined);
    const people = await Promise.all([1, 2, 3, 4].map((n) => users.create({ email: `n${n}@example.com`, role: 'member' })));
    await Promise.all(people.map(({ id }) => users.update(id, () => ({ role: 'admin' }))));
    const changed = await changes.since(version);
    expect(new Set(changed.userIds)).toEqual(new Set(people.map(({ id }) => id)));
    // a membership and a role each, so no number was assigned twice
    expect(BigInt(changed.version) - BigInt(version)).toBe(8n);
  });
});

describe('users and projects', () => {
  test('emails are case-insensitive', async () => {
    expect(user.email).toBe('someone@example.com');
    const again = users.create({ email: 'SOMEONE@example.com', role: 'member' });
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await users.findByEmail('SomeOne@example.com')).toEqual(await users.get(user.id));
  });

  test('an inaccessible project is distinguished from a missing project', async () => {
    const team = await projects.createTeam({ name: 'other' });
    expect(await projects.get(team.id, new Access([team.id]))).toEqual(team);
    await expect(projects.get(team.id, new Access([]))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(projects.get('none', new Access('all'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('one owner remains even if two owners leave concurrently', async () => {
    const owners = await Promise.all(
      ['a', 'b'].map((name) => users.create({ email: `${name}@owners.example`, role: 'owner' })),
    );
    const deletions = await Promise.allSettled(owners.map(({ id }) => users.delete(id, () => undefined)));
    expect(deletions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
