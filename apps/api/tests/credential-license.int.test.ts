import { afterAll, expect, test } from '@jest/globals';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi({ LICENSE: 'community' });
afterAll(() => api.close());

const basicAuth = { name: 'CRM', type: 'httpBasicAuth', data: { user: 'ann', password: 'correct horse' } };

test('without an enterprise license, only sharing and isResolvable are 403 LICENSE_REQUIRED', async () => {
  const { status, body } = await api.call('POST', '/credentials', { body: { ...basicAuth, isResolvable: false } });
  expect(status).toBe(201);
  expect(body.scopes).not.toContain('credential:share');
  const resolvable = await api.call('POST', '/credentials', { body: { ...basicAuth, isResolvable: true } });
  const shared = await api.call('PUT', `/credentials/${body.id}/share`, { body: { shareWithIds: [] } });
  for (const refused of [resolvable, shared]) expect([refused.status, refused.body.code]).toEqual([403, 'LICENSE_REQUIRED']);
});
