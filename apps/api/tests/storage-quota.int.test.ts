import { afterAll, expect, test } from '@jest/globals';
import { aNode, aSmallWorkflow, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { aPath, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet({
  STORAGE_MAX_BYTES_PER_PROJECT: String(1024 * 1024),
  WORKFLOWS_MAX_BYTES_PER_PROJECT: String(1024 * 1024),
});
afterAll(() => fleet.close());

/** Adds this much to the stored bytes of the project of a workflow. */
async function store(workflowId: string, bytes: number): Promise<void> {
  await sql`INSERT INTO project_usage_changes (project_id, bytes)
    SELECT project_id, ${bytes} FROM workflows WHERE id = ${workflowId}`.execute(fleet.api.db.kysely);
}

test('a project above its quota rejects webhooks, forms, and resumes, and its nodes fail; all work again once there is space', async () => {
  const [path, formPath, waitPath] = [aPath(), aPath(), aPath()];
  const workflowId = await fleet.activate({ path });
  await fleet.activate({ formTitle: 'Hello', options: { path: formPath } }, [], {
    name: 'Form',
    type: 'base.form-trigger',
    typeVersion: 2.5,
  });
  const respond = aNode({
    name: 'Respond',
    type: 'base.respond-to-webhook',
    typeVersion: 1.4,
    parameters: { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}' },
  });
  const wait = aNode({
    name: 'Wait',
    type: 'base.wait',
    typeVersion: 1.1,
    parameters: { resume: 'webhook', httpMethod: 'POST' },
  });
  const waiting = await fleet.activate({ path: waitPath, httpMethod: 'POST', responseMode: 'responseNode' }, [respond, wait]);
  const resumeUrl = (await (await fleet.post(waitPath, {})).text()).replace('https://sluice.example', fleet.api.url);
  await eventually(async () => (await fleet.statusesOf(waiting)).join() === 'waiting');
  expect((await fleet.call(path)).status).toBe(200);
  const started = (await fleet.statusesOf(workflowId)).length;

  await store(workflowId, 2 * 1024 * 1024);

  await eventually(async () => (await fleet.call(path)).status === 413);
  const after = (await fleet.statusesOf(workflowId)).length;
  const refused = await fleet.call(path);
  expect([refused.status, await codeOf(refused)]).toEqual([413, 'STORAGE_QUOTA_EXCEEDED']);
  const form = new FormData();
  form.set('field-0', 'x');
  expect((await fetch(`${fleet.api.url}/form/${formPath}`, { method: 'POST', body: form })).status).toBe(413);
  expect((await fetch(resumeUrl, { method: 'POST' })).status).toBe(413);
  expect([(await fleet.statusesOf(workflowId)).length, after >= started]).toEqual([after, true]);
  const run = await eventually(async () => {
    const { body } = await fleet.api.call('POST', `/workflows/${waiting}/run`, { body: {} });
    expect(body.status).toBe('error');
    return body;
  });
  const { error } = run.data.resultData;
  expect(error).toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED', message: expect.stringContaining('cannot be stored') });

  await store(workflowId, -2 * 1024 * 1024);
  await eventually(async () => (await fleet.call(path)).status === 200);
  expect((await fetch(resumeUrl, { method: 'POST' })).status).toBe(200);
});

test('a project at its workflow quota saves no new content until workflows are deleted', async () => {
  const { api } = fleet;
  const { key } = await api.newUser('member');
  const withPins = (text: string) => ({ ...aSmallWorkflow(), pinData: { Start: [{ json: { text } }] } });
  const create = async (text: string) => (await api.call('POST', '/workflows', { key, body: withPins(text) })).body.id;
  const [small, large] = [await create('small'), await create('x'.repeat(1024 * 1024))];
  const save = (id: string, body: object) => api.call('PATCH', `/workflows/${id}`, { key, body });
  const texts = Array.from({ length: 1_000 }, (_, i) => `version ${i}`);
  const refused = await eventually(async () => {
    const { status, body } = await save(small, withPins(texts.pop() ?? ''));
    return status === 413 && body;
  });
  expect(refused.code).toBe('STORAGE_QUOTA_EXCEEDED');
  expect((await api.call('POST', '/workflows', { key, body: aSmallWorkflow() })).status).toBe(413);
  const run = { key, body: { workflowData: withPins('unknown') }, headers: { prefer: 'respond-async' } };
  expect((await api.call('POST', `/workflows/${small}/run`, run)).status).toBe(413);
  const { body: current } = await api.call('GET', `/workflows/${small}`, { key });
  expect((await save(small, current)).status).toBe(200);
  expect((await api.call('POST', `/workflows/${small}/run`, { ...run, body: {} })).status).toBe(200);

  expect((await api.call('DELETE', `/workflows/${large}`, { key })).status).toBe(200);
  await eventually(async () => (await save(small, withPins('new'))).status === 200);
});
