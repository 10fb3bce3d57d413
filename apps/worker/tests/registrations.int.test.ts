import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { eventually } from '@sluice/test-support';
import { HookFleet } from './support/hook-fleet.ts';
import { hookPackages } from './support/hook-package.ts';

const fleet = await HookFleet.start();
afterEach(() => fleet.reset());
afterAll(() => fleet.close());

describe('registration at a remote service', () => {
  test('exists once the activation responds, and is removed by a worker after the deactivation', async () => {
    const { id } = await fleet.aHook();
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(fleet.service.urls).toEqual([fleet.hookUrl(id)]);
    const response = await fleet.call('GET', `/workflows/${id}/triggers`);
    expect(response.body.registrations).toEqual([
      { nodeName: 'Hook', name: 'webhook:default', state: 'registered', failures: 0, lastError: null, retryAt: null },
    ]);
    await fleet.call('POST', `/workflows/${id}/deactivate`);
    await fleet.work();
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test('that fails makes the activation fail with an error that names the node and hides secrets, and leaves nothing behind', async () => {
    const { id } = await fleet.aHook();
    fleet.service.failing.set('POST', 1);
    const response = await fleet.call('POST', `/workflows/${id}/activate`);
    expect([response.status, response.body.code]).toEqual([502, 'REGISTRATION_FAILED']);
    expect(response.body.message).toMatch(/node "Hook".*the service returned 500/);
    expect(JSON.stringify(response.body)).not.toContain('good-token');
    expect((await fleet.call('GET', `/workflows/${id}`)).body.active).toBe(false);
    await fleet.work();
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test.each([
    ['its node names no credential', 'acme.hook-trigger', {}],
    ['its node names no credential, without a request', 'acme.data-trigger', {}],
    ['its credential does not exist', 'acme.data-trigger', { hookApi: { id: 'none', name: 'Lost' } }],
  ])('that fails because %s is not retried or reported', async (_, type, credentials) => {
    const { id, node } = await fleet.aHook('all', type);
    await fleet.call('PATCH', `/workflows/${id}`, { nodes: [{ ...node, credentials }] });
    const response = await fleet.call('POST', `/workflows/${id}/activate`);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain('credential');
    expect((await fleet.call('GET', `/workflows/${id}/triggers`)).body.registrations).toEqual([]);
  });

  test('that fails because the service cannot list webhooks is not retried or reported', async () => {
    const { id } = await fleet.aHook();
    fleet.service.failing.set('GET', 1);
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(502);
    expect((await fleet.call('GET', `/workflows/${id}/triggers`)).body.registrations).toEqual([]);
  });

  test('succeeds with another credential after the service refused one, first or later', async () => {
    const { body } = await fleet.call('POST', '/credentials', {
      name: 'Wrong',
      type: 'hookApi',
      data: { token: 'x', site: 'us' },
    });
    const { id, node } = await fleet.aHook('all', 'acme.data-trigger');
    const wrong = { ...node, credentials: { hookApi: { id: body.id, name: 'Wrong' } } };
    for (let i = 0; i < 2; i++) {
      await fleet.call('PATCH', `/workflows/${id}`, { nodes: [wrong] });
      expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(502);
      await fleet.call('PATCH', `/workflows/${id}`, { nodes: [node] });
      expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
      expect(fleet.service.urls).toEqual([fleet.hookUrl(id)]);
    }
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.work();
    await fleet.ended();
  });

  test('that the service already had is removed if another node fails', async () => {
    const { id, node } = await fleet.aHook();
    fleet.service.hooks.set('1', { url: fleet.hookUrl(id), events: 'all', level: '' });
    const other = { ...node, id: 'o', name: 'Other', credentials: {} };
    await fleet.call('PATCH', `/workflows/${id}`, { nodes: [node, other] });
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(400);
    await fleet.work();
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test('of a new version leaves the active version unchanged if it fails', async () => {
    const { id, node } = await fleet.aHook('one');
    await fleet.call('POST', `/workflows/${id}/activate`);
    await fleet.call('PATCH', `/workflows/${id}`, { nodes: [{ ...node, parameters: { ...node.parameters, events: 'two' } }] });
    fleet.service.failing.set('POST', 1);
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(502);
    expect((await fleet.call('GET', `/workflows/${id}`)).body.active).toBe(true);
    await fleet.work();
    await eventually(async () => expect(fleet.service.urls).toEqual([fleet.hookUrl(id, 'one')]));
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(fleet.service.urls).toEqual([fleet.hookUrl(id, 'two')]);
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test('is updated, even if the service already has the URL', async () => {
    const { id, node } = await fleet.aHook();
    const withLevel = (level: string, position: [number, number]) =>
      fleet.call('PATCH', `/workflows/${id}`, { nodes: [{ ...node, position, parameters: { ...node.parameters, level } }] });
    await withLevel('low', [0, 0]);
    await fleet.call('POST', `/workflows/${id}/activate`);
    await withLevel('high', [0, 0]);
    fleet.service.requests.length = 0;
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect([...fleet.service.hooks.values()]).toEqual([{ url: fleet.hookUrl(id), events: 'all', level: 'high' }]);
    const former = expect.stringMatching(/^DELETE \/hooks\/\d+$/);
    expect(fleet.service.requests).toEqual(['GET /hooks', former, 'GET /hooks', 'POST /hooks']);
    await withLevel('high', [100, 100]);
    fleet.service.requests.length = 0;
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(fleet.service.requests).toEqual(['GET /hooks']);
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.work();
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test('uses another credential if the previous one was deleted, and keeps its old result', async () => {
    const { body } = await fleet.call('POST', '/credentials', { name: 'Old', type: 'hookApi', data: { token: 'old-token' } });
    const { id, node } = await fleet.aHook();
    const former = { ...node, credentials: { hookApi: { id: body.id, name: 'Old' } } };
    await fleet.call('PATCH', `/workflows/${id}`, { nodes: [former] });
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect((await fleet.call('DELETE', `/credentials/${body.id}`)).status).toBe(200);
    await fleet.call('PATCH', `/workflows/${id}`, { nodes: [node] });
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.work();
    await fleet.ended();
    fleet.service.hooks.clear();
  });

  test('is not repeated by a second activation of the same version', async () => {
    const { id } = await fleet.aHook();
    for (let i = 0; i < 2; i++) expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(fleet.service.urls).toEqual([fleet.hookUrl(id)]);
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.work();
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test('may cause a request to the URL before the service responds, and the data of the request is kept', async () => {
    const { id } = await fleet.aHook();
    fleet.service.shakesHands = true;
    fleet.service.handshakes.length = 0;
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(fleet.service.handshakes).toEqual(['challenge 42']);
    const row = await fleet.db.kysely
      .selectFrom('registrations')
      .select('data')
      .where('workflow_id', '=', id)
      .executeTakeFirst();
    expect(row?.data).toEqual({ secret: 's3', id: expect.any(String) });
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.work();
    await fleet.ended();
  });

  test('that gets no response eventually fails the activation and does not delay others', async () => {
    const { id } = await fleet.aHook();
    fleet.service.hanging = true;
    const activating = fleet.call('POST', `/workflows/${id}/activate`);
    await eventually(async () =>
      expect((await fleet.call('GET', `/workflows/${id}/triggers`)).body.registrations).toHaveLength(1),
    );
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(409);
    expect((await fleet.call('POST', `/workflows/${id}/deactivate`)).status).toBe(200);
    const response = await activating;
    expect([response.status, response.body.message]).toEqual([502, expect.stringContaining('no response within 20 seconds')]);
    fleet.service.hanging = false;
    await fleet.work();
    await fleet.ended();
  });

  test('whose removal fails is retried, and reported until it succeeds', async () => {
    const { id } = await fleet.aHook();
    await fleet.call('POST', `/workflows/${id}/activate`);
    fleet.service.failing.set('DELETE', 1);
    expect((await fleet.call('POST', `/workflows/${id}/deactivate`)).status).toBe(200);
    await fleet.work();
    await eventually(async () => {
      const { body } = await fleet.call('GET', `/workflows/${id}/triggers`);
      expect(body.registrations).toMatchObject([{ state: 'ending', failures: 1, lastError: expect.stringContaining('500') }]);
      expect(JSON.stringify(body)).not.toContain('good-token');
    });
    await fleet.db.kysely.updateTable('registrations').set({ due_at: new Date() }).execute();
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test('that a dead process started is removed by a worker', async () => {
    const { id } = await fleet.aHook();
    await fleet.call('POST', `/workflows/${id}/activate`);
    // The state left by an activation that died before its commit.
    const past = new Date(Date.now() - 1_000);
    await fleet.db.kysely
      .updateTable('registrations')
      .set({ wanted: false, held_by: 'activation:dead', held_until: past, due_at: past, unwanted_at: past })
      .execute();
    await fleet.work();
    await fleet.ended();
    expect(fleet.service.urls).toEqual([]);
  });

  test('whose removal fails for a day is abandoned with a logged error', async () => {
    const { id } = await fleet.aHook();
    await fleet.call('POST', `/workflows/${id}/activate`);
    await fleet.call('POST', `/workflows/${id}/deactivate`);
    const backdate = (hours: number) =>
      fleet.db.kysely
        .updateTable('registrations')
        .set({ due_at: new Date(), unwanted_at: new Date(Date.now() - hours * 3_600_000) })
        .execute();
    await backdate(23);
    fleet.service.failing.set('DELETE', 1_000);
    const errors: object[] = [];
    const loud = createLogger({ name: 'test', level: 'silent' });
    loud.error = (fields: object) => void errors.push(fields);
    await fleet.work({ nodePackages: hookPackages, logger: loud });
    await eventually(async () =>
      expect((await fleet.call('GET', `/workflows/${id}/triggers`)).body.registrations).toMatchObject([
        { state: 'ending', failures: 1 },
      ]),
    );
    expect(errors).toEqual([]);
    await backdate(25);
    await fleet.ended();
    expect(errors).toEqual([expect.objectContaining({ urls: { default: fleet.hookUrl(id), setup: fleet.hookUrl(id) } })]);
    expect(JSON.stringify(errors)).not.toContain('good-token');
    fleet.service.hooks.clear();
  });

  test('is repeated if an active workflow has lost it', async () => {
    const { id } = await fleet.aHook();
    await fleet.call('POST', `/workflows/${id}/activate`);
    fleet.service.hooks.clear();
    await fleet.db.kysely.updateTable('registrations').set({ due_at: new Date() }).execute();
    await fleet.work();
    await eventually(async () => expect(fleet.service.urls).toEqual([fleet.hookUrl(id)]));
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.ended();
  });

  test('is still repeated if an activation fails first', async () => {
    const { id } = await fleet.aHook();
    await fleet.call('POST', `/workflows/${id}/activate`);
    fleet.service.hooks.clear();
    await fleet.db.kysely.updateTable('registrations').set({ due_at: new Date() }).execute();
    fleet.service.failing.set('GET', 1);
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(502);
    await fleet.work();
    await eventually(async () => expect(fleet.service.urls).toEqual([fleet.hookUrl(id)]));
    await fleet.call('DELETE', `/workflows/${id}`);
    await fleet.ended();
  });

  test('with declared hooks sends their requests', async () => {
    const { id } = await fleet.aHook('x', 'acme.hooked');
    fleet.service.requests.length = 0;
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect(fleet.service.requests).toEqual(['POST /started?events=x']);
    await fleet.call('POST', `/workflows/${id}/deactivate`);
    await fleet.work();
    await fleet.ended();
    expect(fleet.service.requests).toEqual(['POST /started?events=x', 'POST /stopped']);
    fleet.service.failing.set('POST', 1);
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(502);
    await fleet.ended();
  });
});
