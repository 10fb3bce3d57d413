import { expect } from '@jest/globals';
import { type BasicAuthService, startBasicAuthService } from './basic-auth-service.ts';
import { type ApiResponse, startTestApi, type TestApi } from './test-api.ts';

export const redacted = '***REDACTED***';
export const basicAuth = { name: 'CRM', type: 'httpBasicAuth', data: { user: 'ann', password: 'correct horse' } };

/**
 * Stores a credential, for basic authentication unless `changes` set another type; resolves to the
 * API response.
 */
export async function createCredential(api: TestApi, changes: object = {}, key?: string): Promise<ApiResponse['body']> {
  const { status, body } = await api.call('POST', '/credentials', { body: { ...basicAuth, ...changes }, key });
  expect([status, body.message]).toEqual([201, undefined]);
  return body;
}

/** An API, and a service at which its credentials are tested. */
export interface CredentialBench {
  api: TestApi;
  target: BasicAuthService;
  close(): Promise<void>;
}

export async function startCredentialBench(): Promise<CredentialBench> {
  const api = await startTestApi({ SSRF_PROTECTION: 'off' });
  const target = await startBasicAuthService();
  return {
    api,
    target,
    async close() {
      await target.close();
      await api.close();
    },
  };
}

/** A team with members of each role, and a user who is not a member. */
export async function aTeam(api: TestApi) {
  const team = await api.projects.createTeam({ name: 'team' });
  const member = async (role: 'project:viewer' | 'project:editor' | 'project:admin') => {
    const person = await api.newUser('member');
    await api.projects.setMember(team.id, person.user.id, role);
    return person;
  };
  const [viewer, editor, admin] = [
    await member('project:viewer'),
    await member('project:editor'),
    await member('project:admin'),
  ];
  return { team, viewer, editor, admin, outsider: await api.newUser('member') };
}

export const statuses = (responses: readonly { status: number }[]) => responses.map(({ status }) => status);
