import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';
import { aPath, aSet, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

describe('an immediate response', () => {
  test('names the execution, which runs', async () => {
    const path = aPath();
    const id = await fleet.activate({ path }, [aSet('Set', '={{ { done: true } }}')]);
    const { message, executionId } = (await (await fleet.call(path)).json()) as Record<string, string>;
    expect(message).toBe('Workflow was started');
    await eventually(async () => (await fleet.api.call('GET', `/executions/${executionId}`)).body.status === 'success');
    const { body } = await fleet.api.call('GET', `/executions/${executionId}?includeData=true`);
    expect(body).toMatchObject({ mode: 'webhook', workflowId: id });
  });

  test.each<[JsonObject, number, string]>([
    [{ responseData: 'OK' }, 200, 'OK'],
    [{ noResponseBody: true, responseCode: { values: { responseCode: 204 } } }, 204, ''],
    [{ responseCode: { values: { responseCode: 'customCode', customCode: 299 } }, responseData: 'x' }, 299, 'x'],
  ])('with %j has status %d and body %j', async (options, status, body) => {
    const path = aPath();
    await fleet.activate({ path, options });
    const response = await fleet.call(path);
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  test('has the headers of the node, except for headers that only the server may set', async () => {
    const path = aPath();
    const entries = [
      { name: 'X-Own', value: 'yes' },
      { name: 'Content-Type', value: 'text/csv' },
      { name: 'Content-Security-Policy', value: 'default-src *' },
      { name: 'NEL', value: '{}' },
      { name: 'Reporting-Endpoints', value: 'a="https://example.com"' },
      { name: 'X-Accel-Redirect', value: '/secret' },
    ];
    await fleet.activate({ path, options: { responseData: 'a,b', responseHeaders: { entries } } });
    const { headers } = await fleet.call(path);
    expect([headers.get('x-own'), headers.get('content-type')]).toEqual(['yes', 'text/csv']);
    for (const name of ['nel', 'reporting-endpoints', 'x-accel-redirect']) expect(headers.get(name)).toBeNull();
    expect(headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-same-origin)/);
  });

  test.each([1, 1.1])('of version %d has the status that the node defines', async (typeVersion) => {
    const path = aPath();
    await fleet.activate({ path, responseCode: 201 }, [], { typeVersion });
    expect((await fleet.call(path)).status).toBe(201);
  });

  test('is the same for requests with one Idempotency-Key, which start one execution', async () => {
    const path = aPath();
    const id = await fleet.activate({ path, httpMethod: 'POST' });
    const requests = Array.from({ length: 20 }, (_, i) =>
      fetch(`${i % 2 ? fleet.api.url : fleet.otherUrl}/webhook/${path}`, {
        method: 'POST',
        headers: { 'idempotency-key': 'k' },
      }),
    );
    const responses = await Promise.all((await Promise.all(requests)).map((response) => response.json()));
    expect(new Set(responses.map((received) => JSON.stringify(received))).size).toBe(1);
    const { body } = await fleet.api.call('GET', `/executions?workflowId=${id}`);
    expect((body.data ?? body.results ?? body).length).toBe(1);
    expect(((await (await fleet.post(path, {}, { 'idempotency-key': 'other' })).json()) as JsonObject)['executionId']).not.toBe(
      (responses[0] as JsonObject)['executionId'],
    );
  });
});

test('a project with a full queue starts nothing more, and the client gets Retry-After', async () => {
  const api = await startTestApi({ QUEUED_MAX_PER_PROJECT: '3' });
  const node = aNode({ name: 'Webhook', type: 'base.webhook', parameters: { path: 'full' } });
  const { body } = await api.call('POST', '/workflows', { body: { name: 'w', nodes: [node], connections: {}, settings: {} } });
  await api.call('POST', `/workflows/${body.id}/activate`);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await fetch(`${api.url}/webhook/full`)).status);
  const refused = await fetch(`${api.url}/webhook/full`);
  expect([...statuses, refused.status, await codeOf(refused)]).toEqual([200, 200, 200, 429, 'QUEUE_FULL']);
  expect(refused.headers.get('retry-after')).toBe('2');
  await api.close();
});
