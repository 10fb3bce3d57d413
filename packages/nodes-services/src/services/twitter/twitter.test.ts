import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { twitterServer } from './testing/twitter-server.ts';
import { example } from './twitter.example.ts';
import { twitter } from './twitter.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await twitterServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  twitterOAuth2Api: { clientId: 'c', oauthTokenData: { access_token: 't' } },
  twitterOAuth1Api: { consumerKey: 'k', consumerSecret: 's', accessToken: 'a', accessTokenSecret: 'b' },
};
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  typeVersion: 2,
  ...more,
});
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => {
    const content = body.toString();
    return [`${method} ${url.replace('/2', '')}`, content.startsWith('{') ? JSON.parse(content) : null];
  });
const at = (mode: string, value: string) => ({ __rl: true, mode, value });
const tweetUrl = 'https://x.com/ann/status/42';

test.each<[JsonObject, [string, JsonValue][]]>([
  [{ text: 'Hi' }, [['POST /tweets', { text: 'Hi' }]]],
  [
    { text: 'Hi', additionalFields: { attachments: '1, 2', location: 'p', inReplyToStatusId: at('url', tweetUrl) } },
    [
      [
        'POST /tweets',
        { text: 'Hi', media: { media_ids: ['1', '2'] }, reply: { in_reply_to_tweet_id: '42' }, geo: { place_id: 'p' } },
      ],
    ],
  ],
  [
    { text: 'Hi', additionalFields: { inQuoteToStatusId: at('id', '42') } },
    [['POST /tweets', { text: 'Hi', quote_tweet_id: '42' }]],
  ],
  [{ operation: 'delete', tweetDeleteId: at('id', '42') }, [['DELETE /tweets/42', null]]],
  [
    { operation: 'like', tweetId: at('url', tweetUrl) },
    [
      ['GET /users/me', null],
      ['POST /users/1/likes', { tweet_id: '42' }],
    ],
  ],
  [
    { operation: 'retweet', tweetId: '42' },
    [
      ['GET /users/me', null],
      ['POST /users/1/retweets', { tweet_id: '42' }],
    ],
  ],
  [{ operation: 'search', searchText: 'a b', limit: 5 }, [['GET /tweets/search/recent?query=a+b&max_results=10', null]]],
  [
    {
      operation: 'search',
      searchText: 'a',
      returnAll: true,
      additionalFields: { sortOrder: 'relevancy', startTime: '2026-01-02T00:00:00.000Z', tweetFieldsObject: ['lang', 'geo'] },
    },
    [
      [
        'GET /tweets/search/recent?query=a&max_results=100&sort_order=relevancy&start_time=2026-01-02T00%3A00%3A00Z&tweet.fields=lang%2Cgeo',
        null,
      ],
    ],
  ],
  [{ resource: 'user', me: true }, [['GET /users/me', null]]],
  [{ resource: 'user', user: at('username', '@ann') }, [['GET /users/by/username/ann', null]]],
  [{ resource: 'user', user: at('id', '5') }, [['GET /users/5', null]]],
  [
    { resource: 'directMessage', user: at('username', 'ann'), text: 'Hi', additionalFields: { attachments: '9' } },
    [
      ['GET /users/by/username/ann', null],
      ['POST /dm_conversations/with/5/messages', { text: 'Hi', attachments: [{ media_id: '9' }] }],
    ],
  ],
  [
    { resource: 'list', list: at('url', 'https://x.com/i/lists/8'), user: at('id', '5') },
    [['POST /lists/8/members', { user_id: '5' }]],
  ],
])('%j sends %j', async (parameters, expected) => {
  expect(await runForJson(twitter, runOf(parameters))).not.toEqual([]);
  expect(sent()).toEqual(expected);
});

test('the example returns the post', async () => {
  expect(await runForJson(twitter, runOf(example.parameters))).toEqual(example.outputs?.[0]);
});

test('version 1 uploads images, and signs its requests', async () => {
  const binary = memoryBinary();
  const photo = await binary.store(Buffer.from('bytes'), { fileName: 'a.png', mimeType: 'image/png' });
  const parameters = { text: 'Look', additionalFields: { attachments: 'photo' } };
  const run = runOf(parameters, { typeVersion: 1, binary, inputs: [[{ json: {}, binary: { photo } }]] });
  expect(await runForJson(twitter, run)).toEqual([{ id: '7', text: 'Hello' }]);
  expect(sent()).toEqual([
    ['POST /media/upload', null],
    ['POST /tweets', { text: 'Look', media: { media_ids: ['9'] } }],
  ]);
  expect(server.received[1]?.headers.authorization).toContain('oauth_consumer_key="k"');
});

test('version 1 searches popular posts', async () => {
  const parameters = { operation: 'search', searchText: 'a', additionalFields: { resultType: 'popular' } };
  await runForJson(twitter, runOf(parameters, { typeVersion: 1 }));
  expect(sent()[0]?.[0]).toContain('sort_order=relevancy');
});

test('a search is read to its end', async () => {
  server.on('GET /2/tweets/search/recent', ({ query }) => ({
    json: query['next_token'] === 'n' ? { data: [{ id: '2' }], meta: {} } : { data: [{ id: '1' }], meta: { next_token: 'n' } },
  }));
  const output = await runForJson(twitter, runOf({ operation: 'search', searchText: 'a', returnAll: true }));
  expect(output).toEqual([{ id: '1' }, { id: '2' }]);
});

const refusal = { status: 403, json: { title: 'Forbidden', detail: 'Duplicate content.', type: 'about:blank', status: 403 } };

test('an error includes the text from X', async () => {
  server.on('POST /2/tweets', () => refusal);
  await expect(runNode(twitter, runOf(example.parameters))).rejects.toMatchObject({
    message: 'X: Forbidden: Duplicate content. (403)',
    itemIndex: 0,
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /2/tweets', ({ count }) => (count === 1 ? refusal : { status: 201, json: { data: { id: '7' } } }));
  const output = await runForJson(twitter, runOf(example.parameters, { json: [{}, {}], continueOnFail: true }));
  expect(output).toEqual([{ error: 'X: Forbidden: Duplicate content. (403)' }, { id: '7' }]);
});

const limited = (inMs: number) => ({
  status: 429,
  headers: { 'x-rate-limit-reset': String((Date.now() + inMs) / 1_000) },
  json: { title: 'Too Many Requests', detail: 'Too Many Requests' },
});

test('a rate-limited request is retried after the reset time', async () => {
  server.on('POST /2/tweets', ({ count }) => (count === 1 ? limited(20) : { status: 201, json: { data: { id: '7' } } }));
  expect(await runForJson(twitter, runOf(example.parameters))).toEqual([{ id: '7' }]);
  expect(server.received).toHaveLength(2);
});

test('a long rate limit is an error with its reset time', async () => {
  server.on('POST /2/tweets', () => limited(900_000));
  await expect(runNode(twitter, runOf(example.parameters))).rejects.toMatchObject({
    message: 'X: Too Many Requests (429)',
    description: expect.stringMatching(/in (899|900) seconds/),
  });
});

test('a time without an offset is in the time zone of the workflow', async () => {
  const additionalFields = { startTime: '2026-01-02T00:00:00', endTime: '2026-07-02 12:00' };
  await runNode(twitter, runOf({ operation: 'search', searchText: 'a', additionalFields }, { timezone: 'America/New_York' }));
  expect(sent()[0]?.[0]).toContain('start_time=2026-01-02T05%3A00%3A00Z&end_time=2026-07-02T16%3A00%3A00Z');
});

test('a time that is not a date is rejected before a request', async () => {
  const run = runNode(twitter, runOf({ operation: 'search', searchText: 'a', additionalFields: { startTime: 'soon' } }));
  await expect(run).rejects.toThrow('the parameter "additionalFields.startTime" is not a date');
  expect(server.received).toEqual([]);
});

test('a file that is not an image is rejected before a request', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('x'), { mimeType: 'text/plain' });
  const parameters = { text: 'Look', additionalFields: { attachments: 'data' } };
  const run = runOf(parameters, { typeVersion: 1, binary, inputs: [[{ json: {}, binary: { data } }]] });
  await expect(runNode(twitter, run)).rejects.toThrow('the file "data" is not an image');
});
