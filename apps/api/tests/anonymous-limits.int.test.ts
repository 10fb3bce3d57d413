import { afterAll, describe, expect, test } from '@jest/globals';
import { aNode, eventually } from '@sluice/test-support';
import { aPath, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const [perAddress, perRoute] = [5, 3];

const fleet = await startWebhookFleet({
  TRUST_PROXY: '1',
  RATE_LIMIT_MAX: '1000',
  RATE_LIMIT_ANONYMOUS_TABLE: `address=${perAddress / 1000},route=${perRoute / 1000}`,
});
afterAll(() => fleet.close());

let clients = 0;
/** A client address that no other test uses. */
const aClient = () => ({ headers: { 'x-forwarded-for': `10.1.0.${++clients}` } });
const statuses = async (requests: (() => Promise<Response>)[]) => {
  const responses: number[] = [];
  for (const send of requests) responses.push((await send()).status);
  return responses;
};
const times = (count: number, send: () => Promise<Response>) => statuses(Array.from({ length: count }, () => send));

describe('successful webhook requests', () => {
  test('are limited per route across replicas; above the limit nothing starts, and the headers say when to retry', async () => {
    const path = aPath();
    const workflowId = await fleet.activate({ path });
    const bases = [`${fleet.api.url}/webhook`, `${fleet.otherUrl}/webhook`, `${fleet.api.url}/webhook`];
    expect(await statuses(bases.map((base) => () => fetch(`${base}/${path}`, aClient())))).toEqual([200, 200, 200]);

    const refused = await fleet.call(path, aClient());

    expect([refused.status, await codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('ratelimit-policy')).toBe(`"client-address";q=${perAddress};w=300, "route";q=${perRoute};w=300`);
    expect(refused.headers.get('ratelimit')).toMatch(/^"client-address";r=4;t=300, "route";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(await fleet.statusesOf(workflowId)).toHaveLength(perRoute);
  });

  test('are limited per address across all routes; other addresses are not affected', async () => {
    const paths = [aPath(), aPath()] as const;
    for (const path of paths) await fleet.activate({ path });
    const client = aClient();
    const [first, second] = paths.map((path) => () => fleet.call(path, client)) as [
      () => Promise<Response>,
      () => Promise<Response>,
    ];
    expect(await statuses([first, second, first, second, first, second])).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await fleet.call(paths[1], aClient())).status).toBe(200);
  });

  test('do not count for a route if they fail authentication', async () => {
    const path = aPath();
    const { body } = await fleet.api.call('POST', '/credentials', {
      body: { name: 'c', type: 'httpBasicAuth', data: { user: 'me', password: 'right' } },
    });
    await fleet.activate({ path, authentication: 'basicAuth' }, [], { credentials: { httpBasicAuth: { id: body.id } } });
    expect(await times(2 * perRoute, () => fleet.call(path, aClient()))).toEqual(Array(2 * perRoute).fill(401));
    const authorization = `Basic ${Buffer.from('me:right').toString('base64')}`;
    expect((await fleet.call(path, { headers: { ...aClient().headers, authorization } })).status).toBe(200);
  });
});

test('forms are limited per route, with a page and Retry-After', async () => {
  const path = aPath();
  const form = { name: 'Form', type: 'base.form-trigger', typeVersion: 2.5 };
  await fleet.activate({ formTitle: 'Hello', options: { path } }, [], form);
  const show = () => fetch(`${fleet.api.url}/form/${path}`, aClient());
  expect(await times(perRoute, show)).toEqual([200, 200, 200]);
  const refused = await show();
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200);
});

test('resumes of waiting executions count for the address of the sender, and are rejected above its limit', async () => {
  const [path, other] = [aPath(), aPath()];
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
  const workflowId = await fleet.activate({ path, httpMethod: 'POST', responseMode: 'responseNode' }, [respond, wait]);
  const response = await fleet.call(path, { method: 'POST', ...aClient() });
  const url = (await response.text()).replace('https://sluice.example', fleet.api.url);
  await eventually(async () => (await fleet.statusesOf(workflowId)).join() === 'waiting');
  const client = aClient();
  for (const one of [other, aPath()]) {
    await fleet.activate({ path: one });
    await times(perRoute, () => fleet.call(one, client));
  }

  expect((await fetch(url, { method: 'POST', ...client })).status).toBe(429);
  expect(await fleet.statusesOf(workflowId)).toEqual(['waiting']);
  expect((await fetch(url, { method: 'POST', ...aClient() })).status).toBe(200);
});
