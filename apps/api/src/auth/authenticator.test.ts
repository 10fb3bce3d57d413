import { describe, expect, test } from '@jest/globals';
import type { AuthenticatedKey, KeyLookup } from '@sluice/db';
import { scopes } from '@sluice/domain';
import { Authenticator } from './authenticator.ts';
import type { License } from './license.ts';

const rawKey = 'a-key-of-twenty-characters';
const key: AuthenticatedKey = {
  id: 'k',
  userId: 'u',
  email: 'u@example.com',
  role: 'member',
  isSession: false,
  scopes: ['workflow:read'],
  expiresInMs: null,
  memberships: [
    { projectId: 'mine', role: 'project:admin', isPersonal: true },
    { projectId: 'team', role: 'project:viewer', isPersonal: false },
  ],
};
const knownKey = (changes: Partial<AuthenticatedKey> = {}): KeyLookup => ({ state: 'known', key: { ...key, ...changes } });

function setUp(find: () => KeyLookup | Promise<KeyLookup> = () => knownKey(), license: License = 'enterprise') {
  const state = { now: 0, lookUps: 0, find };
  const watch = { fresh: true };
  const findByRawKey = async () => {
    state.lookUps += 1;
    return state.find();
  };
  const authenticator = new Authenticator({ apiKeys: { findByRawKey }, watch, license, now: () => state.now });
  return { state, watch, authenticator };
}

describe('Authenticator', () => {
  test('looks up a key once for concurrent requests, and not again while the watch is fresh', async () => {
    const { state, authenticator } = setUp();
    await Promise.all([1, 2, 3].map(() => authenticator.authenticate(rawKey)));
    state.now = 59_999;
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(1);
    state.now = 60_000;
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(2);
  });

  test('ignores cached entries while the watch is not fresh', async () => {
    const { state, watch, authenticator } = setUp();
    await authenticator.authenticate(rawKey);
    watch.fresh = false;
    await authenticator.authenticate(rawKey);
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(3);
  });

  test('reloads only the keys of users whose rights have changed', async () => {
    const { state, authenticator } = setUp();
    await authenticator.authenticate(rawKey);
    authenticator.forget(['somebody else']);
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(1);
    authenticator.forget(['u']);
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(2);
  });

  test('does not cache a lookup during which rights changed', async () => {
    const { state, authenticator } = setUp(() => {
      authenticator.forget(['u']);
      return knownKey();
    });
    await authenticator.authenticate(rawKey);
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(2);
  });

  test('rejects a cached key as soon as it expires', async () => {
    const { state, authenticator } = setUp(() => knownKey({ expiresInMs: 5_000 - state.now }));
    state.now = 0;
    await authenticator.authenticate(rawKey);
    state.now = 4_999;
    await authenticator.authenticate(rawKey);
    state.now = 5_000;
    await expect(authenticator.authenticate(rawKey)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(state.lookUps).toBe(2);
  });

  test('does not cache rejections or failures', async () => {
    const { state, authenticator } = setUp(() => {
      throw new Error('away');
    });
    await expect(authenticator.authenticate(rawKey)).rejects.toThrow('away');
    state.find = () => ({ state: 'unknown' });
    await expect(authenticator.authenticate(rawKey)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    state.find = () => knownKey();
    await expect(authenticator.authenticate(rawKey)).resolves.toMatchObject({ userId: 'u' });
  });

  test('does not look up malformed keys', async () => {
    const { state, authenticator } = setUp();
    for (const text of [undefined, '', 'short', 'ünïcödé-ünïcödé-ünïcödé', `${rawKey}, ${rawKey}`]) {
      await expect(authenticator.authenticate(text)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    expect(state.lookUps).toBe(0);
  });

  test('rejects a revoked key with 403 and its user, and an expired key with 401', async () => {
    const revoked = setUp(() => ({ state: 'revoked', id: 'k', userId: 'u' })).authenticator;
    await expect(revoked.authenticate(rawKey)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await revoked.check(rawKey)).toEqual({ refusal: { reason: 'revoked', keyId: 'k', userId: 'u' } });
    const expired = setUp(() => knownKey({ expiresInMs: -1 })).authenticator;
    await expect(expired.authenticate(rawKey)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('a member has the rights of its project roles; an instance admin has all rights', async () => {
    const member = await setUp().authenticator.authenticate(rawKey);
    expect(member.access['project:viewer'].includes('team')).toBe(true);
    expect(member.access['project:editor'].includes('team')).toBe(false);
    expect(member.access['project:editor'].includes('mine')).toBe(true);
    expect(member.personalProjectId).toBe('mine');
    const admin = await setUp(() => knownKey({ role: 'admin' })).authenticator.authenticate(rawKey);
    expect(admin.access['project:admin'].includes('anything')).toBe(true);
  });

  test('without an enterprise license, a key has every scope', async () => {
    const caller = await setUp(() => knownKey(), 'community').authenticator.authenticate(rawKey);
    expect([...caller.scopes]).toEqual([...scopes]);
    expect([...(await setUp().authenticator.authenticate(rawKey)).scopes]).toEqual(['workflow:read']);
  });
});
