import { afterAll, describe, expect, test } from '@jest/globals';
import { WorkerRepository } from '@sluice/db';
import { noNodePackages } from '@sluice/node-packages';
import { aSmallWorkflow } from '@sluice/test-support';
import { sql } from 'kysely';
import { startTestApi } from './support/test-api.ts';

const service = 'https://accounts.example.com';
const client = { authUrl: service, accessTokenUrl: service, clientId: 'c', clientSecret: 's' };
const day = 86_400_000;

const failures = [{ package: 'sluice-nodes-broken', reason: 'it has no manifest' }];
const settings = { QUEUED_MAX_PER_PROJECT: '5', STORAGE_MAX_BYTES_PER_PROJECT: '1048576' };
const api = await startTestApi(settings, undefined, { nodePackages: { ...noNodePackages, failures } });
const teamId = (await api.projects.createTeam({ name: 'a team' })).id;
const workflowId = (await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId: teamId } })).body.id;
afterAll(() => api.close());

interface Item {
  kind: string;
  severity: string;
  message: string;
  credential: { name: string } | null;
}

async function attention(key?: string): Promise<Item[]> {
  const { status, body } = await api.call('GET', '/attention', key === undefined ? {} : { key });
  expect(status).toBe(200);
  return body.data;
}
const kinds = (items: Item[]) => items.map(({ kind }) => kind).sort();
const aCredential = (name: string, oauthTokenData?: object) => {
  const data = { ...client, ...(oauthTokenData && { oauthTokenData }) };
  return api.call('POST', '/credentials', { body: { name, type: 'oAuth2Api', projectId: teamId, data } });
};

describe('what needs attention', () => {
  test('includes missing workers and packages that failed to load, for owners and admins', async () => {
    expect(kinds(await attention())).toEqual(['noWorker', 'packageFailed']);
    await new WorkerRepository(api.db).register({ id: 'w', hostname: 'h', pid: 1, concurrency: 1 }, 600_000);
    expect(kinds(await attention())).toEqual(['packageFailed']);
    const { key } = await api.newUser('member');
    expect(await attention(key)).toEqual([]);
  });

  test('includes failing triggers, credentials, keys, and quotas, errors first', async () => {
    const { kysely } = api.db;
    await sql`INSERT INTO triggers (workflow_id, node_name, ordinal, kind, spec, failures, last_error, retry_at)
      VALUES (${workflowId}, 'Poll', 0, 'poll', '{}', 3, 'the service is away', now())`.execute(kysely);
    await aCredential('fresh');
    await aCredential('over', { access_token: 'a', expiresAt: Date.now() - day });
    await aCredential('ending', { access_token: 'a', expiresAt: Date.now() + day });
    await aCredential('lasting', { access_token: 'a', expiresAt: Date.now() + 30 * day });
    await aCredential('renewed', { access_token: 'a', refresh_token: 'r', expiresAt: Date.now() - day });
    for (let run = 0; run < 4; run += 1) await api.call('POST', `/workflows/${workflowId}/run`, { body: {} });
    await sql`INSERT INTO project_usage (project_id, bytes) VALUES (${teamId}, 1048576)`.execute(kysely);
    const member = await api.newUser('member');
    await api.projects.setMember(teamId, member.user.id, 'project:viewer');
    await api.newKey(member.user.id, { expiresAt: new Date(Date.now() + day) });
    await api.newKey(member.user.id, { expiresAt: new Date(Date.now() - day) });
    await api.newKey(member.user.id, { expiresAt: new Date(Date.now() + 60 * day) });

    const items = await attention(member.key);
    expect(kinds(items)).toEqual(
      [
        'apiKeyExpired',
        'apiKeyExpiring',
        'credentialExpired',
        'credentialExpiring',
        'credentialNotConnected',
        'queueFilling',
        'storageFull',
        'triggerFailing',
      ].sort(),
    );
    const severities = items.map(({ severity }) => severity);
    expect(severities).toEqual([...severities].sort());
    expect(items.find(({ kind }) => kind === 'triggerFailing')).toMatchObject({
      message: 'the trigger of node "Poll" failed 3 times in a row: the service is away',
      workflow: { id: workflowId },
      project: { id: teamId, name: 'a team' },
      nodeName: 'Poll',
      at: expect.any(String),
    });
    expect(items.find(({ kind }) => kind === 'credentialExpired')?.credential?.name).toBe('over');
    await api.call('POST', `/workflows/${workflowId}/run`, { body: {} });
    expect(kinds(await attention(member.key))).toContain('queueFull');
  });

  test('is shown to members of the project, according to the scopes of the key', async () => {
    const member = await api.newUser('member');
    expect(await attention(member.key)).toEqual([]);
    await api.projects.setMember(teamId, member.user.id, 'project:viewer');
    const only = async (scope: 'workflow:list' | 'credential:list' | 'execution:list') =>
      [...new Set(kinds(await attention(await api.newKey(member.user.id, { scopes: [scope] }))))].map((kind) =>
        kind.replace(/[A-Z].*/, ''),
      );
    expect(new Set(await only('workflow:list'))).toEqual(new Set(['trigger']));
    expect(new Set(await only('credential:list'))).toEqual(new Set(['credential']));
    expect(new Set(await only('execution:list'))).toEqual(new Set(['queue', 'storage']));
  });
});
