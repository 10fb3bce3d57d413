import { describe, expect, test } from '@jest/globals';
import type { AuthenticatedKey } from '@sluice/db';
import { Authenticator } from './authenticator.ts';

const rawKey = 'a-key-of-twenty-characters';
const key: AuthenticatedKey = {
  id: 'k',
  userId: 'u',
  role: 'member',
  scopes: ['workflow:read'],
  expired: false,
  revoked: false,
  memberships: [
    { projectId: 'mine', role: 'project:admin', type: 'personal' },
    { projectId: 'team', role: 'project:viewer', type: 'team' },
  ],
};

function setUp(found: () => AuthenticatedKey | undefined = () => key) {
  const state = { now: 0, lookUps: 0 };
  const findByRawKey = async () => {
    state.lookUps += 1;
    return found();
  };
  return { state, authenticator: new Authenticator({ findByRawKey }, () => state.now) };
}

describe('Authenticator', () => {
  test('asks once for requests that come together, and again after a second', async () => {
    const { state, authenticator } = setUp();
    await Promise.all([1, 2, 3].map(() => authenticator.authenticate(rawKey)));
    state.now = 999;
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(1);
    state.now = 1_000;
    await authenticator.authenticate(rawKey);
    expect(state.lookUps).toBe(2);
  });

  test('remembers no refusal and no failure', async () => {
    let answer: () => AuthenticatedKey | undefined = () => {
      throw new Error('away');
    };
    const { authenticator } = setUp(() => answer());
    await expect(authenticator.authenticate(rawKey)).rejects.toThrow('away');
    answer = () => undefined;
    await expect(authenticator.authenticate(rawKey)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    answer = () => key;
    await expect(authenticator.authenticate(rawKey)).resolves.toMatchObject({ userId: 'u' });
  });

  test('does not ask for what can be no key', async () => {
    const { state, authenticator } = setUp();
    for (const text of [undefined, '', 'short', 'ünïcödé-ünïcödé-ünïcödé', `${rawKey}, ${rawKey}`]) {
      await expect(authenticator.authenticate(text)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    expect(state.lookUps).toBe(0);
  });

  test('tells a revoked key from an expired one, also when it is both', async () => {
    const revoked = setUp(() => ({ ...key, revoked: true, expired: true }));
    await expect(revoked.authenticator.authenticate(rawKey)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const expired = setUp(() => ({ ...key, expired: true }));
    await expect(expired.authenticator.authenticate(rawKey)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('a member has what the project roles allow, an admin of the instance everything', async () => {
    const member = await setUp().authenticator.authenticate(rawKey);
    expect(member.access['project:viewer'].includes('team')).toBe(true);
    expect(member.access['project:editor'].includes('team')).toBe(false);
    expect(member.access['project:editor'].includes('mine')).toBe(true);
    expect(member.personalProjectId).toBe('mine');
    const admin = await setUp(() => ({ ...key, role: 'admin' })).authenticator.authenticate(rawKey);
    expect(admin.access['project:admin'].includes('anything')).toBe(true);
  });
});
