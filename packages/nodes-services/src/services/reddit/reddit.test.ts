import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './reddit.example.ts';
import { reddit } from './reddit.ts';
import { redditServer } from './testing/reddit-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await redditServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { redditOAuth2Api: { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } } };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { subreddit: 'sluice', postId: 'p1', ...parameters },
  http: server.http,
  credentials,
  ...more,
});
const sent = () => server.received.map(({ method, url, body }) => `${method} ${url} ${body}`.trim());

test.each<[JsonObject, string, JsonObject[]]>([
  [
    { title: 'Hi', text: 'Body' },
    'POST /api/submit sr=sluice&kind=self&title=Hi&text=Body&api_type=json',
    [{ id: 'p2', url: 'https://www.reddit.com/r/sluice/comments/p2/' }],
  ],
  [
    { subreddit: 'r/sluice', title: 'Hi', kind: 'link', url: 'https://a.example', resubmit: true },
    'POST /api/submit sr=sluice&kind=link&title=Hi&url=https%3A%2F%2Fa.example&resubmit=true&api_type=json',
    [{ id: 'p2', url: 'https://www.reddit.com/r/sluice/comments/p2/' }],
  ],
  [{ operation: 'delete' }, 'POST /api/del id=t3_p1', [{ success: true }]],
  [{ operation: 'get' }, 'GET /r/sluice/comments/p1', [{ id: 'p1', title: 'Hello' }]],
  [{ operation: 'getAll', limit: 3 }, 'GET /r/sluice/hot?limit=3', [{ id: 'p1', title: 'Hello' }]],
  [
    { operation: 'getAll', returnAll: true, filters: { category: 'new' } },
    'GET /r/sluice/new?limit=100',
    [{ id: 'p1', title: 'Hello' }],
  ],
  [example.parameters, 'GET /r/sluice/search?q=queue&restrict_sr=on&sort=new&limit=5', example.outputs?.[0] ?? []],
  [
    { operation: 'search', location: 'allReddit', keyword: 'a b' },
    'GET /search?q=a+b&limit=100',
    [{ id: 'p1', title: 'Hello' }],
  ],
  [
    { resource: 'postComment', commentText: 'Nice' },
    'POST /api/comment thing_id=t3_p1&text=Nice&api_type=json',
    [{ id: 'c1', body: 'Nice' }],
  ],
  [
    { resource: 'postComment', operation: 'reply', commentId: 't1_c1', replyText: 'Thanks' },
    'POST /api/comment thing_id=t1_c1&text=Thanks&api_type=json',
    [{ id: 'c1', body: 'Nice' }],
  ],
  [{ resource: 'postComment', operation: 'delete', commentId: 'c1' }, 'POST /api/del id=t1_c1', [{ success: true }]],
  [{ resource: 'postComment', operation: 'getAll' }, 'GET /r/sluice/comments/p1', [{ id: 'c1', body: 'Nice' }]],
  [{ resource: 'profile' }, 'GET /api/v1/me', [{ name: 'me' }]],
  [{ resource: 'profile', details: 'karma' }, 'GET /api/v1/me/karma', [{ sr: 'sluice', link_karma: 2 }]],
  [{ resource: 'profile', details: 'trophies' }, 'GET /api/v1/me/trophies', [{ kind: 't6', data: { name: 'T' } }]],
  [{ resource: 'profile', details: 'friends' }, 'GET /api/v1/me/friends', [{ name: 'bob' }]],
  [{ resource: 'profile', details: 'prefs' }, 'GET /api/v1/me/prefs', [{ lang: 'en' }]],
  [{ resource: 'profile', details: 'blockedUsers' }, 'GET /prefs/blocked', [{ name: 'eve' }]],
  [{ resource: 'subreddit' }, 'GET /r/sluice/about', [{ display_name: 'sluice' }]],
  [{ resource: 'subreddit', content: 'rules' }, 'GET /r/sluice/about/rules', [{ short_name: 'Be kind' }]],
  [{ resource: 'subreddit', operation: 'getAll', limit: 2 }, 'GET /subreddits/default?limit=2', [{ id: 's2' }]],
  [
    { resource: 'subreddit', operation: 'getAll', filters: { keyword: 'cat' } },
    'GET /subreddits/search?q=cat&limit=100',
    [{ id: 's1' }],
  ],
  [
    { resource: 'subreddit', operation: 'getAll', filters: { trending: true } },
    'GET /subreddits/popular?limit=100',
    [{ id: 's2' }],
  ],
  [{ resource: 'user', username: 'ann' }, 'GET /user/ann/about', [{ name: 'ann' }]],
  [
    { resource: 'user', username: 'ann', details: 'comments', limit: 4 },
    'GET /user/ann/comments?limit=4',
    [{ id: 'c1', body: 'Nice' }],
  ],
])('%j sends %s', async (parameters, request, expected) => {
  expect(await runForJson(reddit, runOf(parameters))).toEqual(expected);
  expect(sent()).toEqual([request]);
});

test('a list is read to its end', async () => {
  server.on('GET /r/:sub/:list', ({ query }) => ({
    json: {
      data: query['after']
        ? { after: null, children: [{ data: { id: '2' } }] }
        : { after: 't3_1', children: [{ data: { id: '1' } }] },
    },
  }));
  expect(await runForJson(reddit, runOf({ operation: 'getAll', returnAll: true }))).toEqual([{ id: '1' }, { id: '2' }]);
});

const refusal = { json: { json: { errors: [['SUBREDDIT_NOEXIST', 'that subreddit does not exist', 'sr']] } } };
const submit = { title: 'Hi', text: 'Body' };

test('an error with status 200 includes the text and code from Reddit', async () => {
  server.on('POST /api/submit', () => refusal);
  await expect(runNode(reddit, runOf(submit))).rejects.toMatchObject({
    message: 'Reddit: that subreddit does not exist (SUBREDDIT_NOEXIST)',
    itemIndex: 0,
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /api/submit', ({ count }) =>
    count === 1 ? refusal : { json: { json: { errors: [], data: { id: 'p2' } } } },
  );
  expect(await runForJson(reddit, runOf(submit, { json: [{}, {}], continueOnFail: true }))).toEqual([
    { error: 'Reddit: that subreddit does not exist (SUBREDDIT_NOEXIST)' },
    { id: 'p2' },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('POST /api/submit', ({ count }) =>
    count === 1
      ? { status: 429, headers: { 'x-ratelimit-reset': '0.01' }, json: {} }
      : { status: 200, json: { json: { errors: [], data: { id: 'p2' } } } },
  );
  expect(await runForJson(reddit, runOf(submit))).toEqual([{ id: 'p2' }]);
});
