import { afterAll, describe, expect, test } from '@jest/globals';
import { HookFleet } from './support/hook-fleet.ts';

const fleet = await HookFleet.start();
afterAll(() => fleet.close());

describe('methods of types', () => {
  const ofType = (path: string, body: object = {}) => fleet.call('POST', `/node-types/acme.hook-trigger/methods/${path}`, body);

  test('return choices, pages of choices, fields, and the result of a button', async () => {
    const parameters = { service: '={{ "a" + "b" }}' };
    expect(await ofType('loadOptions/events', { parameters })).toEqual({
      status: 200,
      body: { data: [{ name: 'All of ab', value: 'all' }] },
    });
    expect((await ofType('listSearch/find', { filter: 'x', paginationToken: 'p' })).body.data).toEqual({
      results: [{ name: 'x', value: 'p' }],
      paginationToken: 'next',
    });
    expect((await ofType('resourceMapping/columns')).body.data.fields).toHaveLength(1);
    expect((await ofType('actionHandler/press', { payload: { a: 1 } })).body.data).toEqual({ pressed: { a: 1 } });
  });

  test('that do not exist are not found', async () => {
    for (const path of ['loadOptions/none', 'magic/events', 'loadOptions/constructor', 'listSearch/__proto__'])
      expect([path, (await ofType(path)).status]).toEqual([path, 404]);
    expect((await fleet.call('POST', '/node-types/acme.none/methods/loadOptions/x', {})).status).toBe(404);
  });

  test('cause a 502 without secrets if they throw or return something else', async () => {
    const credentials = { hookApi: await fleet.credential() };
    const broken = await ofType('loadOptions/broken', { credentials });
    expect([broken.status, broken.body.code]).toEqual([502, 'NODE_METHOD_FAILED']);
    expect(broken.body.message).toMatch(/^token \*\*\*REDACTED\*\*\* is wrong$/);
    expect((await ofType('loadOptions/shapeless')).body.message).toMatch(/returns an invalid loadOptions/);
  });

  test('can use only the credentials that the request names', async () => {
    expect((await ofType('loadOptions/broken')).status).toBe(400);
    expect((await ofType('loadOptions/broken', { credentials: { hookApi: { id: 'nobodys' } } })).status).toBe(404);
  });

  test('with side effects, or with a destination from parameters, are rejected for read-only keys', async () => {
    const scopes = ['workflow:read', 'credential:read'];
    const keyOf = async (...more: string[]) =>
      (await fleet.call('POST', '/api-keys', { label: 'k', scopes: [...scopes, ...more] })).body.rawApiKey;
    const credentials = { hookApi: await fleet.credential() };
    const parameters = { service: fleet.service.url };
    const send = async (path: string, body: object, key: string) =>
      (await fleet.call('POST', `/node-types/${path}`, body, { 'x-service-api-key': key })).status;
    const press = 'acme.hook-trigger/methods/actionHandler/press';
    const choice = 'acme.hooked/methods/loadOptions/choice';
    const reader = await keyOf();
    expect(await send(press, {}, reader)).toBe(403);
    expect(await send(choice, { parameters, credentials }, reader)).toBe(403);
    expect(await send(choice, { parameters }, reader)).toBe(200);
    expect(await send('acme.hook-trigger/methods/credentialTest/reachable', { credentials }, reader)).toBe(200);
    for (const scope of ['workflow:update', 'credential:update']) {
      const key = await keyOf(scope);
      expect([await send(press, {}, key), await send(choice, { parameters, credentials }, key)]).toEqual([200, 200]);
    }
  });

  test('are rejected for a missing version', async () => {
    expect((await ofType('loadOptions/events', { typeVersion: 9 })).status).toBe(400);
  });

  test('test credentials, even if a type does not have its own test', async () => {
    const credentials = { hookApi: await fleet.credential() };
    expect((await ofType('credentialTest/reachable', { credentials })).body.data).toEqual({ status: 'OK', message: 'let in' });
    const tested = await fleet.call('POST', '/credentials/test', {
      credentials: { id: '', type: 'hookApi', name: 'x', data: { token: 'bad-token' } },
    });
    expect(tested).toEqual({ status: 200, body: { status: 'error', message: 'no: ***REDACTED***' } });
  });

  test('can be declarative', async () => {
    const { body } = await fleet.call('POST', '/node-types/acme.hooked/methods/loadOptions/choice', {
      parameters: { service: fleet.service.url },
    });
    expect(body.data).toEqual([{ name: 'Seven', value: 7 }]);
  });
});

test('packages are listed with their problems', async () => {
  expect((await fleet.call('GET', '/node-packages')).body.data).toEqual([
    {
      name: 'acme',
      version: '1.2.3',
      status: 'loaded',
      nodeTypes: ['acme.hook-trigger'],
      credentialTypes: ['hookApi'],
      skipped: [],
      reason: null,
    },
    {
      name: 'broken',
      version: null,
      status: 'failed',
      nodeTypes: [],
      credentialTypes: [],
      skipped: [],
      reason: 'nodes/none.js is not there',
    },
  ]);
});
