import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './circle-ci.example.ts';
import { circleCi } from './circle-ci.ts';
import { circleCiServer } from './testing/circle-ci-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await circleCiServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { circleCiApi: { apiKey: 't1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(circleCi, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }) => [
    `${method} ${url.replace('/api/v2/project', '')}`,
    ...(body.length > 0 ? [JSON.parse(body.toString())] : []),
  ]);
const project = { vcs: 'github', projectSlug: 'acme/shop' };

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /github/acme/shop/pipeline', { branch: 'main' }]]);
});

test.each<[JsonObject, unknown[]]>([
  [{ ...project, pipelineNumber: '25' }, ['GET /github/acme/shop/pipeline/25']],
  [{ projectSlug: 'acme/my shop' }, ['GET /bitbucket/acme/my%20shop/pipeline/1']],
  [
    { ...project, operation: 'trigger', additionalFields: { tag: 'v1', parameters: '{"deploy":true}' } },
    ['POST /github/acme/shop/pipeline', { tag: 'v1', parameters: { deploy: true } }],
  ],
  [{ ...project, operation: 'trigger' }, ['POST /github/acme/shop/pipeline', {}]],
])('%j sends %j', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([request]);
});

test.each<[JsonObject, string[], number]>([
  [{ limit: 1, filters: { branch: 'main' } }, ['GET /github/acme/shop/pipeline?branch=main'], 1],
  [{ returnAll: true }, ['GET /github/acme/shop/pipeline', 'GET /github/acme/shop/pipeline?page-token=n1'], 3],
])('pipelines are read to the end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run({ ...project, operation: 'getAll', ...parameters })).toHaveLength(count);
  expect(sent().flat()).toEqual(requests);
});

test.each<[JsonObject, string]>([
  [{ vcs: 'github' }, 'the parameter "projectSlug" is required'],
  [
    { ...project, operation: 'trigger', additionalFields: { branch: 'main', tag: 'v1' } },
    'a pipeline runs for a branch or for a tag',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a slug never leads to another path', async () => {
  await expect(run({ ...project, projectSlug: '../../me' })).rejects.toMatchObject({ itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from CircleCI; a rate-limited request is retried', async () => {
  server.on('GET /api/v2/project/:vcs/:org/:project/pipeline/:number', ({ count }) => {
    if (count === 1) return { status: 404, json: { message: 'Pipeline not found' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { number: 1 } };
  });
  expect(await run(project, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'CircleCI: Pipeline not found (404)' },
    { number: 1 },
  ]);
});
