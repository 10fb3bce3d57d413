import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './airtop.example.ts';
import { airtop } from './airtop.ts';
import { airtopServer } from './testing/airtop-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await airtopServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { airtopApi: { apiKey: 'k1' } },
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(airtop, runOf(parameters, more));
const sent = () => server.received.map(({ method, url }) => `${method} ${url.replace('/api/v1', '')}`);
const bodyOf = (index = -1) => {
  const text = server.received.at(index)?.body.toString() ?? '';
  return text === '' ? undefined : JSON.parse(text);
};
const ids = { sessionId: 's1', windowId: 'w1' };
const window = '/sessions/s1/windows/w1';

test('the example: a session is started, awaited, and ended', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    'POST /sessions',
    'GET /sessions/s1',
    'POST /sessions/s1/windows',
    `POST ${window}/page-query`,
    'DELETE /sessions/s1',
  ]);
});

describe('a session', () => {
  test('is created as configured, with a profile that is saved', async () => {
    server.on('POST /api/v1/sessions', () => ({ json: { data: { id: 's1', status: 'running' } } }));
    const parameters = {
      profileName: 'mine/1',
      saveProfileOnTermination: true,
      record: true,
      timeoutMinutes: 5,
      proxy: 'integrated',
      proxyConfig: { country: 'DE', sticky: true },
      additionalFields: { solveCaptcha: true, extensionIds: 'a, b' },
    };
    expect(await run(parameters)).toEqual([{ sessionId: 's1', data: { id: 's1', status: 'running' } }]);
    expect(bodyOf(0)).toEqual({
      configuration: {
        profileName: 'mine/1',
        timeoutMinutes: 5,
        record: true,
        proxy: { country: 'DE', sticky: true },
        solveCaptcha: true,
        extensionIds: ['a', 'b'],
      },
    });
    expect(sent()[1]).toBe('PUT /sessions/s1/save-profile-on-termination/mine%2F1');
  });

  test.each<[JsonObject, unknown]>([
    [{}, undefined],
    [{ proxy: 'integrated' }, true],
    [{ proxy: 'proxyUrl', proxyUrl: 'http://proxy.example:1' }, 'http://proxy.example:1'],
  ])('has the requested proxy: %j', async (parameters, proxy) => {
    await run(parameters);
    expect(bodyOf(0)).toEqual({ configuration: { timeoutMinutes: 10, ...(proxy !== undefined && { proxy }) } });
  });

  test('is an error if it ends before it runs', async () => {
    server.on('GET /api/v1/sessions/:id', () => ({ json: { data: { status: 'ended' } } }));
    await expect(run({})).rejects.toThrow('the browser of the session did not start');
  });

  test('is ended if its state cannot be read', async () => {
    server.on('GET /api/v1/sessions/:id', () => ({ status: 500, json: { errors: [{ message: 'It broke' }] } }));
    await expect(run({})).rejects.toThrow('Airtop: It broke');
    expect(sent().at(-1)).toBe('DELETE /sessions/s1');
  });

  test('is ended by the node that started it even if the operation fails, with the first error', async () => {
    server.on('POST /api/v1/sessions/:id/windows/:window/page-query', () => ({
      status: 422,
      json: { errors: [{ code: 'too_long', message: 'The page is too long' }] },
    }));
    await expect(run(example.parameters)).rejects.toThrow('Airtop: The page is too long (too_long)');
    expect(sent().at(-1)).toBe('DELETE /sessions/s1');
  });

  test('is ended if its profile cannot be saved', async () => {
    server.on('PUT /api/v1/sessions/:id/save-profile-on-termination/:name', () => ({ status: 400, json: {} }));
    await expect(run({ profileName: 'p', saveProfileOnTermination: true })).rejects.toThrow('Airtop');
    expect(sent().at(-1)).toBe('DELETE /sessions/s1');
  });

  test('stays open if the author enables it', async () => {
    await run({ ...example.parameters, autoTerminateSession: false });
    expect(sent().at(-1)).toBe(`POST ${window}/page-query`);
  });
});

test.each<[JsonObject, string, JsonObject | undefined]>([
  [{ resource: 'session', operation: 'terminate' }, 'DELETE /sessions/s1', undefined],
  [{ resource: 'session', operation: 'save', profileName: 'p' }, 'PUT /sessions/s1/save-profile-on-termination/p', undefined],
  [{ resource: 'window', operation: 'close' }, `DELETE ${window}`, undefined],
  [{ resource: 'window', operation: 'list' }, 'GET /sessions/s1/windows', undefined],
  [
    { resource: 'window', url: 'https://x.com/', additionalFields: { waitUntil: 'noWait', waitUntilTimeout: 3 } },
    'POST /sessions/s1/windows',
    { url: 'https://x.com/', waitUntil: 'noWait', waitUntilTimeoutSeconds: 3 },
  ],
  [
    {
      resource: 'window',
      operation: 'getLiveView',
      additionalFields: { includeNavigationBar: true, screenResolution: '1x2', disableResize: false },
    },
    `GET ${window}?includeNavigationBar=true&screenResolution=1x2`,
    undefined,
  ],
  [
    { resource: 'window', operation: 'load', url: 'https://x.com/', additionalFields: { waitUntil: 'load' } },
    `POST ${window}`,
    { url: 'https://x.com/', waitUntil: 'load' },
  ],
  [
    {
      resource: 'extraction',
      operation: 'query',
      prompt: 'P',
      additionalFields: { includeVisualAnalysis: true, outputSchema: '{"type":"object"}' },
    },
    `POST ${window}/page-query`,
    { prompt: 'P', configuration: { includeVisualAnalysis: 'enabled', outputSchema: '{"type":"object"}' } },
  ],
  [
    {
      resource: 'extraction',
      prompt: 'P',
      additionalFields: { interactionMode: 'accurate', paginationMode: 'infinite-scroll', outputSchema: { type: 'array' } },
    },
    `POST ${window}/paginated-extraction`,
    {
      prompt: 'P',
      configuration: { interactionMode: 'accurate', paginationMode: 'infinite-scroll', outputSchema: '{"type":"array"}' },
    },
  ],
  [{ resource: 'extraction', operation: 'scrape' }, `POST ${window}/scrape-content`, {}],
  [
    { resource: 'interaction', elementDescription: 'Post', additionalFields: { visualScope: 'viewport' } },
    `POST ${window}/click`,
    { elementDescription: 'Post', configuration: { clickType: 'click', visualAnalysis: { scope: 'viewport' } } },
  ],
  [
    {
      resource: 'interaction',
      operation: 'hover',
      elementDescription: 'Menu',
      additionalFields: { waitForNavigation: 'load' },
    },
    `POST ${window}/hover`,
    {
      elementDescription: 'Menu',
      waitForNavigation: true,
      configuration: { waitForNavigationConfig: { waitUntil: 'load' } },
    },
  ],
  [
    {
      resource: 'interaction',
      operation: 'type',
      text: 'Hi',
      pressEnterKey: true,
      elementDescription: 'Box',
      additionalFields: { clearInputField: true },
    },
    `POST ${window}/type`,
    { text: 'Hi', pressEnterKey: true, clearInputField: true, elementDescription: 'Box' },
  ],
  [
    { resource: 'interaction', operation: 'scroll', scrollToElement: 'Footer' },
    `POST ${window}/scroll`,
    { scrollToElement: 'Footer' },
  ],
  [
    {
      resource: 'interaction',
      operation: 'scroll',
      scrollingMode: 'manual',
      scrollToEdge: { edgeValues: { yAxis: 'bottom', xAxis: '' } },
      scrollBy: { scrollValues: { yAxis: '-50%' } },
      scrollWithin: 'List',
    },
    `POST ${window}/scroll`,
    { scrollToEdge: { yAxis: 'bottom' }, scrollBy: { yAxis: '-50%' }, scrollWithin: 'List' },
  ],
])('is one request: %j', async (parameters, request, body) => {
  const [item] = await run({ ...ids, ...parameters });
  expect(sent()).toEqual([request]);
  expect(bodyOf()).toEqual(body);
  if (parameters['resource'] !== 'session') expect(item).toMatchObject({ sessionId: 's1' });
});

test('IDs are read from the item if the author set none', async () => {
  const parameters = { resource: 'interaction', elementDescription: 'x' };
  expect(await run(parameters, { json: [{ ...ids }] })).toEqual([
    { ...ids, data: { modelResponse: 'done' }, meta: { status: 'success' } },
  ]);
  await expect(run(parameters)).rejects.toMatchObject({ message: 'the parameter "sessionId" is required', itemIndex: 0 });
});

test('a window has a live view', async () => {
  const parameters = { ...ids, resource: 'window', getLiveView: true, includeNavigationBar: true };
  expect(await run(parameters)).toEqual([{ ...ids, data: { windowId: 'w1', liveViewUrl: 'https://live.example/' } }]);
  expect(sent()).toEqual(['POST /sessions/s1/windows', `GET ${window}?includeNavigationBar=true`]);
});

test('a screenshot is a data URL, or a file', async () => {
  const parameters = { ...ids, resource: 'window', operation: 'takeScreenshot' };
  expect(await run(parameters)).toEqual([{ ...ids, image: 'data:image/png;base64,iVBORw0K' }]);
  const [items] = await runNode(airtop, runOf({ ...parameters, outputImageAsBinary: true }));
  expect(items?.[0]?.binary).toMatchObject({ data: { mimeType: 'image/png', fileName: 'screenshot.png', fileSize: 6 } });
  server.on('POST /api/v1/sessions/:id/windows/:window/screenshot', () => ({ json: { meta: {} } }));
  await expect(run(parameters)).rejects.toThrow('the Airtop response has no screenshot');
});

test.each<[string, unknown]>([
  ['{"a":1}', { a: 1 }],
  ['[1]', [1]],
  ['plain', 'plain'],
  ['1', '1'],
])('an answer %s is parsed as %j', async (modelResponse, expected) => {
  server.on('POST /api/v1/sessions/:id/windows/:window/page-query', () => ({ json: { data: { modelResponse } } }));
  const parameters = { resource: 'extraction', operation: 'query', prompt: 'P', additionalFields: { parseJsonOutput: true } };
  expect(await run({ ...ids, ...parameters })).toEqual([{ ...ids, data: { modelResponse: expected } }]);
});

test.each<[JsonObject, string]>([
  [{ resource: 'extraction', sessionMode: 'new', url: 'https://x.com/' }, 'the parameter "prompt" is required'],
  [{ resource: 'extraction', operation: 'scrape', sessionMode: 'new' }, 'the parameter "url" is required'],
  [{ resource: 'interaction', operation: 'scroll', scrollingMode: 'manual' }, 'the page has nowhere to scroll to'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run({ ...ids, ...parameters })).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('errors with status 200 are errors; a failed item does not affect the others', async () => {
  server.on('GET /api/v1/sessions/:id/windows', ({ count }) => ({
    json: count === 1 ? { errors: [{ code: 'gone', message: 'The session ended' }] } : { data: {} },
  }));
  const parameters = { resource: 'window', operation: 'list', sessionId: 's1' };
  expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Airtop: The session ended (gone)' },
    { sessionId: 's1', data: {} },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /api/v1/sessions/:id/windows', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { data: {} } },
  );
  expect(await run({ resource: 'window', operation: 'list', sessionId: 's1' })).toEqual([{ sessionId: 's1', data: {} }]);
});
