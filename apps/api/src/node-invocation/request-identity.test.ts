import { describe, expect, jest, test } from '@jest/globals';
import type { Access, AuditEntry } from '@sluice/db';
import { ForbiddenError, NotFoundError, type Scope, type WorkflowId } from '@sluice/domain';
import type { Authentication } from '../auth/authenticator.ts';
import { toCaller } from '../auth/caller.ts';
import { RequestIdentity, type RequestIdentityOptions } from './request-identity.ts';

const key = {
  id: 'k',
  userId: 'u',
  email: 'ann@example.com',
  role: 'member' as const,
  isSession: false,
  scopes: [],
  expiresInMs: null,
  memberships: [
    { projectId: 'mine', role: 'project:admin' as const, isPersonal: true },
    { projectId: 'team', role: 'project:viewer' as const, isPersonal: false },
  ],
};
const request = { workflowId: 'w' as WorkflowId, address: '192.0.2.7' };

/**
 * Result of a request to a workflow of the project, with a key that authenticates as
 * `authentication`.
 */
async function identified(authentication: Authentication, projectId = 'mine', failing?: Error) {
  const audit: AuditEntry[] = [];
  const refused = jest.fn();
  const used: string[] = [];
  const options = {
    authenticator: { check: async () => authentication },
    usage: { note: (id: string) => void used.push(id) },
    refusals: { note: refused },
    audit: { record: (entry: AuditEntry) => void audit.push(entry) },
    workflows: {
      async getHead(_id: WorkflowId, access: Access) {
        if (failing) throw failing;
        if (!access.includes(projectId)) throw new ForbiddenError('not yours');
      },
    },
  } as unknown as RequestIdentityOptions;
  const user = await new RequestIdentity(options).identify('a-key', request);
  return { user, audit, refused: refused.mock.calls, used };
}
const callerWith = (...scopes: Scope[]): Authentication => ({ caller: toCaller(key, scopes) });

describe('the API key of a request', () => {
  test('identifies its user, and the audit log names both', async () => {
    const { user, audit, used, refused } = await identified(callerWith('workflow:execute'));
    expect(user).toEqual({ id: 'u', email: 'ann@example.com', mayStart: true });
    expect(audit).toEqual([
      expect.objectContaining({
        actor: 'ann@example.com',
        userId: 'u',
        keyId: 'k',
        ip: '192.0.2.7',
        action: 'workflow.call',
        objectId: 'w',
        outcome: 'success',
      }),
    ]);
    expect([used, refused]).toEqual([['k'], []]);
  });

  test.each([
    ['without the scope', callerWith('workflow:read'), 'mine'],
    ['of a user who may only view the project', callerWith('workflow:execute'), 'team'],
    ['of a user who is not in the project', callerWith('workflow:execute'), 'other'],
  ])('cannot start the workflow: %s', async (_, authentication, projectId) => {
    const { user, audit } = await identified(authentication, projectId);
    expect([user?.mayStart, audit[0]?.outcome]).toEqual([false, 'denied']);
  });

  test('cannot start a deleted workflow', async () => {
    const { user } = await identified(callerWith('workflow:execute'), 'mine', new NotFoundError('gone'));
    expect(user?.mayStart).toBe(false);
  });

  test('identifies no user if it is invalid, and the refusal is audited', async () => {
    const { user, audit, refused, used } = await identified({ refusal: { reason: 'revoked', keyId: 'k', userId: 'u' } });
    expect([user, audit, used]).toEqual([undefined, [], []]);
    expect(refused).toEqual([
      [
        {
          actor: { actor: null, userId: 'u', keyId: 'k', ip: '192.0.2.7', requestId: null },
          action: 'auth.failure',
          details: { reason: 'revoked', workflowId: 'w' },
        },
      ],
    ]);
  });

  test('identifies no user without the database', async () => {
    await expect(identified(callerWith('workflow:execute'), 'mine', new Error('away'))).rejects.toThrow('away');
  });
});
