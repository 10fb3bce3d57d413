import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@sluice/test-support';
import { Access } from '../src/access.ts';
import { generateApiKey } from '../src/api-key-format.ts';
import { ApiKeyRepository } from '../src/repositories/api-key-repository.ts';
import { ProjectRepository } from '../src/repositories/project-repository.ts';
import { type User, UserRepository } from '../src/repositories/user-repository.ts';

let database: TestDatabase;
let keys: ApiKeyRepository;
let projects: ProjectRepository;
let user: User;

beforeAll(async () => {
  database = await testDatabase();
  keys = new ApiKeyRepository(database.db.kysely);
  projects = new ProjectRepository(database.db.kysely);
  user = await new UserRepository(database.db.kysely).create({ email: 'Someone@Example.com', role: 'member' });
});
afterAll(() => database.drop());

function create(rawKey: string, expiresAt: Date | null = null): Promise<boolean> {
  return keys.create({ userId: user.id, label: 'l', rawKey, scopes: ['workflow:read'], expiresAt });
}

describe('ApiKeyRepository', () => {
  test('stores no part of a key but its ends and its hash', async () => {
    const rawKey = generateApiKey();
    expect(await create(rawKey)).toBe(true);
    expect(await create(rawKey)).toBe(false);
    const row = await database.db.kysely.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    expect(row.redacted_key).toMatch(/^sluice_\w{3}\*{8}\w{4}$/);
    expect(row.key_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(rawKey.slice(12, 40));
  });

  test('finds keys with the memberships of their user, by the database’s clock', async () => {
    const [good, expired] = [generateApiKey(), generateApiKey()];
    await create(good, new Date(Date.now() + 60_000));
    await create(expired, new Date(Date.now() - 60_000));
    const team = await projects.createTeam('team');
    await projects.setMember(team.id, user.id, 'project:viewer');
    await projects.setMember(team.id, user.id, 'project:editor');
    const found = await keys.findByRawKey(good);
    expect(found).toMatchObject({ userId: user.id, role: 'member', expired: false, scopes: ['workflow:read'] });
    expect(found?.memberships).toHaveLength(2);
    expect(found?.memberships).toContainEqual({ projectId: team.id, role: 'project:editor', type: 'team' });
    expect((await keys.findByRawKey(expired))?.expired).toBe(true);
    expect(await keys.findByRawKey(generateApiKey())).toBeUndefined();
  });
});

describe('users and projects', () => {
  test('emails are one whatever their case', async () => {
    expect(user.email).toBe('someone@example.com');
    const again = new UserRepository(database.db.kysely).create({ email: 'SOMEONE@example.com', role: 'member' });
    await expect(again).rejects.toThrow();
  });

  test('a project outside the access is told from one that does not exist', async () => {
    const team = await projects.createTeam('other');
    expect(await projects.get(team.id, new Access([team.id]))).toEqual(team);
    await expect(projects.get(team.id, new Access([]))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(projects.get('none', new Access('all'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
