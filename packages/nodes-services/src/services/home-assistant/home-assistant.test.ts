import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpRequest, JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './home-assistant.example.ts';
import { homeAssistant } from './home-assistant.ts';
import { homeAssistantServer } from './testing/home-assistant-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await homeAssistantServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { homeAssistantApi: { host: 'home.test', port: 443, ssl: true, accessToken: 't1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(homeAssistant, { parameters, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ method, url, body }) => [method, decodeURIComponent(url), body.toString()]);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST', '/api/services/light/turn_on', '{"entity_id":"light.kitchen"}']]);
});

test('a server without TLS is reached over http', async () => {
  const urls: string[] = [];
  const http = {
    ...server.http,
    request: (request: HttpRequest, signal: AbortSignal) => {
      urls.push(request.url);
      return server.http.request(
        { ...request, url: request.url.replace('http://home.test:8123', 'https://home.test') },
        signal,
      );
    },
  };
  const homeAssistantApi = { host: 'home.test', accessToken: 't1' };
  await run({ resource: 'event' }, { http, credentials: { homeAssistantApi } });
  expect(urls).toEqual(['http://home.test:8123/api/events']);
});

test('attributes keep the types of their expressions', async () => {
  const attributes = [{ name: 'has_sum', value: true }, { name: 'stats', value: [{ sum: 1.5 }] }, { name: '' }];
  const parameters = { resource: 'service', operation: 'call', domain: 'recorder', service: 'import_statistics' };
  await run({ ...parameters, serviceAttributes: { attributes } });
  expect(sent()[0]?.[2]).toBe('{"has_sum":true,"stats":[{"sum":1.5}]}');
});

test('a service that changes no state still succeeds', async () => {
  server.on('POST /api/services/:domain/:service', () => ({ json: [] }));
  expect(await run({ resource: 'service', operation: 'call', domain: 'a', service: 'b' })).toEqual([{ success: true }]);
});

test('a state is read and set', async () => {
  expect(await run({ resource: 'state', entityId: 'a.b' })).toEqual([{ entity_id: 'a.b', state: 'on' }]);
  const parameters = {
    resource: 'state',
    operation: 'upsert',
    entityId: 'a.b',
    state: '21',
    stateAttributes: { attributes: [{ name: 'unit', value: '°C' }] },
  };
  expect(await run(parameters)).toEqual([{ entity_id: 'a.b', state: '21', attributes: { unit: '°C' } }]);
});

test.each<[JsonObject, JsonObject[]]>([
  [{ resource: 'state', operation: 'getAll', limit: 1 }, [{ entity_id: 'a.b' }]],
  [{ resource: 'service' }, [{ domain: 'light', services: {} }]],
  [{ resource: 'event' }, [{ event: 'state_changed', listener_count: 5 }]],
  [{}, [{ location_name: 'Home' }]],
  [{ operation: 'check' }, [{ result: 'valid', errors: null }]],
  [{ resource: 'template', template: '{{ states("a.b") }}' }, [{ renderedTemplate: 'It is 21 degrees' }]],
])('%j', async (parameters, items) => {
  expect(await run(parameters)).toEqual(items);
});

test('a failed item does not affect the others', async () => {
  server.on('GET /api/states/:id', ({ count }) =>
    count === 1 ? { status: 404, json: { message: 'Entity not found.' } } : { json: {} },
  );
  expect(await run({ resource: 'state', entityId: 'a.b' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Home Assistant: Entity not found. (404)' },
    {},
  ]);
});

test.each<JsonObject>([
  { resource: 'state' },
  { resource: 'service', operation: 'call', domain: 'a' },
  { resource: 'template' },
])('%j is refused before a request', async (parameters) => {
  await expect(run(parameters)).rejects.toThrow(/is required/);
});
