import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './hacker-news.example.ts';
import { hackerNews } from './hacker-news.ts';
import { hackerNewsServer } from './testing/hacker-news-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await hackerNewsServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(hackerNews, { parameters, http: server.http, ...more });
const sent = () => server.received.map(({ url }) => decodeURIComponent(url.replace('/api/v1', '')));

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['/search?query=workflows&tags=story&hitsPerPage=1']);
});

test.each<[JsonObject, string[], number]>([
  [{ returnAll: true }, ['/search?hitsPerPage=100', '/search?hitsPerPage=100&page=1'], 101],
  [{ limit: 2, additionalFields: { tags: 'story, poll' } }, ['/search?tags=(story,poll)&hitsPerPage=2'], 2],
])('a list is read to its end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run({ resource: 'all', ...parameters })).toHaveLength(count);
  expect(sent()).toEqual(requests);
});

test('an article has comments only if the author enables them', async () => {
  expect(await run({ articleId: '5' })).toEqual([{ id: 5, title: 'Workflows at scale' }]);
  const parameters = { articleId: '5', additionalFields: { includeComments: true } };
  expect(await run(parameters)).toEqual([{ id: 5, title: 'Workflows at scale', children: [{ id: 8 }] }]);
});

test('a user is found by name', async () => {
  expect(await run({ resource: 'user', username: 'pg/..' })).toEqual([{ username: 'pg/..', karma: 7 }]);
});

test('a failed item does not affect the others', async () => {
  server.on('GET /api/v1/users/:name', ({ count }) =>
    count === 1 ? { status: 404, json: { error: 'Not Found' } } : { json: {} },
  );
  const parameters = { resource: 'user', username: 'x' };
  expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Hacker News: Not Found (404)' },
    {},
  ]);
});

test.each<JsonObject>([{}, { resource: 'user' }])('%j is refused before a request', async (parameters) => {
  await expect(run(parameters)).rejects.toThrow(/is required/);
});
