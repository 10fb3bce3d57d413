import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import { type ApiServer, apiServer } from '../../testing/api-server.ts';
import { example } from './api-template-io.example.ts';
import { apiTemplateIo } from './api-template-io.ts';
import { apiTemplateIoServer } from './testing/api-template-io-server.ts';

let server: ApiServer;
let files: ApiServer;
beforeAll(async () => {
  server = await apiTemplateIoServer();
  files = await apiServer({
    baseUrl: 'https://files.example',
    headers: { 'x-api-key': /^$/ },
    routes: { 'GET /invoice.pdf': { answer: () => ({ text: '%PDF', headers: { 'content-type': 'application/pdf' } }) } },
  });
});
afterEach(() => {
  for (const one of [server, files]) one.verify();
});
afterAll(() => Promise.all([server.close(), files.close()]));

const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: { ...server.http, stream: files.http.stream },
  credentials: { apiTemplateIoApi: { apiKey: 'k1' } },
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(apiTemplateIo, context(parameters, more));
const bodies = () => server.received.map(({ body }) => JSON.parse(body.toString()));

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(server.received[0]?.url).toBe('/v2/create-pdf?template_id=abc123');
  expect(bodies()).toEqual([{ customer: 'Ada', total: 120 }]);
});

test('values are a list of names and values', async () => {
  const propertiesUi = { propertyValues: [{ key: 'total', value: 5 }] };
  await run({ resource: 'pdf', pdfTemplateId: 'a', propertiesUi });
  const overrideValues = [
    {
      propertiesUi: {
        propertyValues: [
          { key: 'name', value: 'title' },
          { key: 'text', value: 'Hi' },
        ],
      },
    },
  ];
  await run({ imageTemplateId: 'a', overridesUi: { overrideValues } });
  expect(bodies()).toEqual([{ total: 5 }, { overrides: [{ name: 'title', text: 'Hi' }] }]);
});

test('overrides as JSON are a list, or the whole body', async () => {
  const parameters = { imageTemplateId: 'a', jsonParameters: true };
  await run({ ...parameters, overridesJson: '[{"name":"a"}]' });
  await run({ ...parameters, overridesJson: { overrides: [] } });
  expect(bodies()).toEqual([{ overrides: [{ name: 'a' }] }, { overrides: [] }]);
});

test('the file is downloaded without the key', async () => {
  const [items] = await runNode(apiTemplateIo, context({ ...example.parameters, download: true, binaryProperty: 'file' }));
  expect(items?.[0]?.json).toMatchObject({ status: 'success' });
  expect(items?.[0]?.binary?.['file']).toMatchObject({ fileName: 'invoice.pdf', mimeType: 'application/pdf' });
});

test('the account', async () => {
  expect(await run({ resource: 'account' })).toEqual([{ status: 'success', subscription_product: 'free' }]);
});

test('a failed item does not affect the others', async () => {
  server.on('POST /v2/create-pdf', ({ count }) =>
    count === 1 ? { status: 403, json: { status: 'error', message: 'template not found' } } : { json: {} },
  );
  expect(await run(example.parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'APITemplate.io: template not found (403)' },
    {},
  ]);
});

test.each<JsonObject>([{}, { resource: 'pdf' }])('%j is refused before a request', async (parameters) => {
  await expect(run(parameters)).rejects.toThrow(/is required/);
  expect(server.received).toEqual([]);
});
