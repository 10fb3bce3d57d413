import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './raindrop.example.ts';
import { raindrop } from './raindrop.ts';
import { raindropServer } from './testing/raindrop-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await raindropServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { raindropOAuth2Api: { oauthTokenData: { access_token: 't' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(raindrop, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }) => [
    `${method} ${url.replace('/rest/v1', '')}`,
    ...(body.length > 0 ? [JSON.parse(body.toString())] : []),
  ]);
const bookmark = (operation: string, more: JsonObject): JsonObject => ({ resource: 'bookmark', operation, ...more });

test('the example', async () => {
  expect(await run({ ...example.parameters, link: 'https://example.com/' })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    ['POST /raindrop', { link: 'https://example.com/', collection: { $id: -1 }, title: 'Example', tags: ['news', 'later'] }],
  ]);
});

test.each<[JsonObject, unknown[]]>([
  [
    bookmark('create', { collectionId: 5, link: 'x', additionalFields: { pleaseParse: true, important: 'true', order: '2' } }),
    ['POST /raindrop', { link: 'x', collection: { $id: 5 }, pleaseParse: {}, important: true, order: 2 }],
  ],
  [
    bookmark('create', { collectionId: '-1', link: 'x', additionalFields: { pleaseParse: false } }),
    ['POST /raindrop', { link: 'x', collection: { $id: -1 } }],
  ],
  [bookmark('get', { bookmarkId: 7 }), ['GET /raindrop/7']],
  [bookmark('delete', { bookmarkId: '7' }), ['DELETE /raindrop/7']],
  [
    bookmark('update', { bookmarkId: '7', updateFields: { collectionId: '5', link: 'y', title: 'T', tags: ['a', 'b'] } }),
    ['PUT /raindrop/7', { title: 'T', tags: ['a', 'b'], link: 'y', collection: { $id: 5 } }],
  ],
  [{ collectionId: '5' }, ['GET /collection/5']],
  [
    { operation: 'create', title: 'T', additionalFields: { parentId: 5, public: true, view: 'grid' } },
    ['POST /collection', { title: 'T', public: true, view: 'grid', parent: { $id: 5 } }],
  ],
  [{ operation: 'update', collectionId: '5', updateFields: { title: 'U' } }, ['PUT /collection/5', { title: 'U' }]],
  [{ operation: 'delete', collectionId: '5' }, ['DELETE /collection/5']],
  [{ operation: 'getAll', type: 'children' }, ['GET /collections/childrens']],
  [{ operation: 'getAll', limit: 1 }, ['GET /collections']],
  [{ resource: 'tag' }, ['GET /tags']],
  [{ resource: 'tag', operation: 'getAll', additionalFields: { collectionId: '5' } }, ['GET /tags/5']],
  [{ resource: 'tag', operation: 'delete', tags: 'a, b' }, ['DELETE /tags', { tags: ['a', 'b'] }]],
  [
    { resource: 'tag', operation: 'delete', tags: 'a', additionalFields: { collectionId: 5 } },
    ['DELETE /tags/5', { tags: ['a'] }],
  ],
  [{ resource: 'user' }, ['GET /user']],
])('%j sends %j', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([request]);
});

test.each<[JsonObject, string[], number]>([
  [{ limit: 5 }, ['GET /raindrops/5?perpage=50'], 5],
  [{ returnAll: true }, ['GET /raindrops/5?perpage=50', 'GET /raindrops/5?perpage=50&page=1'], 51],
])('bookmarks are read to the end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run(bookmark('getAll', { collectionId: '5', ...parameters }))).toHaveLength(count);
  expect(sent().flat()).toEqual(requests);
});

test.each<[JsonObject, string]>([
  [bookmark('create', { collectionId: '-1' }), 'the parameter "link" is required'],
  [bookmark('getAll', {}), 'the parameter "collectionId" is required'],
  [{ operation: 'create' }, 'the parameter "title" is required'],
  [{ resource: 'tag', operation: 'delete' }, 'the parameter "tags" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an ID never leads to another path', async () => {
  server.on('GET /rest/v1/collection/:id', ({ params }) => ({ json: { result: true, item: params } }));
  expect(await run({ collectionId: '../user?a=b' })).toEqual([{ id: '../user?a=b' }]);
});

test('an error includes the text from Raindrop, also with status 200; a rate-limited request is retried', async () => {
  server.on('GET /rest/v1/collection/:id', ({ count }) => {
    if (count === 1) return { status: 404, json: { result: false, errorMessage: 'Not found' } };
    if (count === 2) return { json: { result: false, errorMessage: 'Access denied' } };
    return count === 3
      ? { status: 429, headers: { 'retry-after': '0' }, json: {} }
      : { json: { result: true, item: { _id: 5 } } };
  });
  expect(await run({ collectionId: '5' }, { json: [{}, {}, {}], continueOnFail: true })).toEqual([
    { error: 'Raindrop: Not found (404)' },
    { error: 'Raindrop: Access denied (200)' },
    { _id: 5 },
  ]);
});
