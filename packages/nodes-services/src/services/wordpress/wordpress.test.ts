import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { site, wordpressServer } from './testing/wordpress-server.ts';
import { example } from './wordpress.example.ts';
import { wordpress } from './wordpress.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await wordpressServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { wordpressApi: site },
  ...more,
});
const sent = () =>
  server.received.map(({ method, url, body }) => [
    `${method} ${url.replace('/wp-json/wp/v2', '')}`,
    body.length === 0 ? undefined : JSON.parse(body.toString()),
  ]);

test.each<[JsonObject, string, JsonObject]>([
  [
    {
      title: 'News',
      additionalFields: {
        authorId: 4,
        content: '<p>Hi</p>',
        slug: 'news',
        status: 'publish',
        commentStatus: 'closed',
        pingStatus: 'open',
        format: 'aside',
        sticky: false,
        categories: [3],
        tags: [5, 6],
        postTemplate: { values: { postTemplate: 'wide.php' } },
      },
    },
    'POST /posts',
    {
      title: 'News',
      author: 4,
      content: '<p>Hi</p>',
      slug: 'news',
      status: 'publish',
      comment_status: 'closed',
      ping_status: 'open',
      format: 'aside',
      sticky: false,
      categories: [3],
      tags: [5, 6],
      template: 'wide.php',
    },
  ],
  [
    { operation: 'update', postId: '7', updateFields: { title: 'Old', password: '', tags: [1] } },
    'POST /posts/7',
    { title: 'Old', tags: [1] },
  ],
  [
    {
      resource: 'page',
      title: 'Home',
      additionalFields: { parentId: 2, menuOrder: 1, featuredMediaId: 9, pageTemplate: 'a.php' },
    },
    'POST /pages',
    { title: 'Home', parent: 2, menu_order: 1, featured_media: 9, template: 'a.php' },
  ],
  [
    { resource: 'page', operation: 'update', pageId: 8, updateFields: { status: 'draft' } },
    'POST /pages/8',
    { status: 'draft' },
  ],
  [
    {
      resource: 'user',
      username: 'bob',
      name: 'Bob',
      firstName: 'Bob',
      lastName: 'Roe',
      email: 'b@b.test',
      password: 'p',
      additionalFields: { nickname: 'bo' },
    },
    'POST /users',
    { username: 'bob', name: 'Bob', first_name: 'Bob', last_name: 'Roe', email: 'b@b.test', password: 'p', nickname: 'bo' },
  ],
  [
    { resource: 'user', operation: 'update', userId: '4', updateFields: { firstName: 'Rob' } },
    'POST /users/4',
    { first_name: 'Rob' },
  ],
])('%j sends %s', async (parameters, request, body) => {
  await runForJson(wordpress, runOf({ operation: 'create', ...parameters }));
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get', postId: 7, options: { context: 'edit', password: 'p' } }, 'GET /posts/7?context=edit&password=p'],
  [{ resource: 'page', operation: 'get', pageId: '8' }, 'GET /pages/8'],
  [{ resource: 'user', operation: 'get', userId: 'me' }, 'GET /users/me'],
])('%j sends %s', async (parameters, request) => {
  await runForJson(wordpress, runOf(parameters));
  expect(sent()).toEqual([[request, undefined]]);
});

test.each<[JsonObject, string]>([
  [
    { limit: 5, options: { status: 'publish', orderBy: 'title', excludedTags: [1, 2], after: '2026-01-01T00:00:00' } },
    'GET /posts?per_page=5&status=publish&orderby=title&tags_exclude=1%2C2&after=2026-01-01T00%3A00%3A00',
  ],
  [{ returnAll: true }, 'GET /posts?per_page=100'],
  [{ resource: 'page', options: { parentId: 2 } }, 'GET /pages?per_page=50&parent=2'],
  [{ resource: 'user', options: { search: 'ann' } }, 'GET /users?per_page=50&search=ann'],
])('%j lists by %s', async (parameters, request) => {
  expect(await runForJson(wordpress, runOf({ operation: 'getAll', ...parameters }))).toHaveLength(2);
  expect(sent()).toEqual([[request, undefined]]);
});

test.each([100, 0])('a list with pages of %d posts is read to its last page', async (length) => {
  const page = Array.from({ length }, (_, index) => ({ id: index }));
  server.on('GET /wp-json/wp/v2/posts', ({ count }) => ({
    json: count < 3 ? page : [{ id: 200 }],
    headers: { 'x-wp-totalpages': '3' },
  }));
  expect(await runForJson(wordpress, runOf({ operation: 'getAll', returnAll: true }))).toHaveLength(2 * length + 1);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /posts?per_page=100',
    'GET /posts?per_page=100&page=2',
    'GET /posts?per_page=100&page=3',
  ]);
});

test.each([
  ['getAuthors', 'users'],
  ['getCategories', 'categories'],
  ['getTags', 'tags'],
])('editors choose by name: %s', async (method, path) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials: { wordpressApi: site } });
  expect(await wordpress.methods?.loadOptions?.[method]?.(context)).toEqual([
    { name: 'One', value: 1 },
    { name: 'Two', value: 2 },
  ]);
  expect(sent()).toEqual([[`GET /${path}?per_page=100`, undefined]]);
});

test('an error includes the text and the code from WordPress', async () => {
  server.on('POST /wp-json/wp/v2/posts', () => ({
    status: 403,
    json: {
      code: 'rest_cannot_create',
      message: 'Sorry, you are not allowed to create posts as this user.',
      data: { status: 403 },
    },
  }));
  await expect(runNode(wordpress, runOf({ operation: 'create', title: 'A' }))).rejects.toMatchObject({
    code: 'NODE_API_ERROR',
    message: 'WordPress: Sorry, you are not allowed to create posts as this user. (rest_cannot_create)',
    details: { status: 403 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /wp-json/wp/v2/posts', ({ body }) =>
    (body as JsonObject)['title'] === 'bad' ? { status: 400, json: { code: 'no', message: 'No' } } : { json: { id: 1 } },
  );
  const parameters = (index: number) => ({ operation: 'create', title: ['good', 'bad'][index] ?? '' });
  const run = { ...runOf({}), parameters, json: [{}, {}], continueOnFail: true };
  expect(await runForJson(wordpress, run)).toEqual([{ id: 1 }, { error: 'WordPress: No (no)' }]);
});

test('a collection with more than a thousand fields is rejected', async () => {
  const additionalFields = Object.fromEntries(Array.from({ length: 1_001 }, (_, id) => [`field${id}`, 'x']));
  await expect(runNode(wordpress, runOf({ operation: 'create', title: 'A', additionalFields }))).rejects.toThrow(
    'has more than 1000 fields',
  );
});

test('a rate-limited request is retried', async () => {
  server.on('POST /wp-json/wp/v2/posts', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { status: 201, json: { id: 2 } },
  );
  expect(await runForJson(wordpress, runOf({ ...example.parameters, title: 'A' }))).toEqual([{ id: 2 }]);
});
