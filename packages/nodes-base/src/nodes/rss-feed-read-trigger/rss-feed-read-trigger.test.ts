import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { type HttpTestServer, httpServer } from '../../testing/http-server.ts';
import { example } from './example.ts';
import { rssFeedReadTrigger } from './rss-feed-read-trigger.ts';

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
let feed: string[];
let status = 200;
let server: HttpTestServer;

beforeEach(async () => {
  [feed, status] = [[], 200];
  server = await httpServer((_, response) => {
    response.writeHead(status).end(`<rss version="2.0"><channel>${feed.join('')}</channel></rss>`);
  });
});
afterEach(() => server.close());
afterAll(() => http.close());

const entry = (title: string, number: number) =>
  `<item><title>${title}</title><link>https://example.com/${number}</link></item>`;

async function poll(cursor?: JsonObject, mode: 'manual' | 'trigger' = 'trigger') {
  const parameters = { feedUrl: `${server.origin}/feed.xml` };
  const { items, cursor: next } = await pollOnce(rssFeedReadTrigger, { parameters, http, mode, ...(cursor && { cursor }) });
  return { entries: items.map(({ json }) => json), titles: items.map(({ json }) => json['title']), cursor: next };
}

test('the first poll stores the existing entries and returns nothing, the next poll returns new entries', async () => {
  feed = [entry('First', 1)];
  const first = await poll();
  expect(first.entries).toEqual([]);
  feed.unshift(entry('Second', 2));
  const second = await poll(first.cursor);
  expect(second.entries).toEqual(example.outputs?.[0]);
  expect((await poll(second.cursor)).entries).toEqual([]);
});

test('an entry that the feed omits and shows again is not new', async () => {
  feed = [entry('a', 1), entry('b', 2)];
  const first = await poll();
  feed = [entry('a', 1)];
  const second = await poll(first.cursor);
  feed = [entry('b, changed', 2), entry('a', 1)];
  expect((await poll(second.cursor)).titles).toEqual([]);
});

test('an entry that appears late, below older entries, or twice is returned once', async () => {
  feed = [entry('a', 1)];
  const first = await poll();
  feed = [entry('a', 1), entry('b', 2), entry('b', 2)];
  expect((await poll(first.cursor)).titles).toEqual(['b']);
});

test('entries without ID and address are distinguished by their content', async () => {
  const first = await poll();
  feed = ['<item><title>x</title></item>', '<item><title>y</title></item>'];
  const second = await poll(first.cursor);
  expect(second.titles).toEqual(['x', 'y']);
  expect((await poll(second.cursor)).titles).toEqual([]);
});

test('a failure does not advance the cursor', async () => {
  const first = await poll();
  [feed, status] = [[entry('a', 1)], 500];
  await expect(poll(first.cursor)).rejects.toMatchObject({ code: 'NODE_API_ERROR' });
  status = 200;
  expect((await poll(first.cursor)).titles).toEqual(['a']);
});

test('a manual run returns the first entry, regardless of earlier polls', async () => {
  feed = [entry('b', 2), entry('a', 1)];
  expect((await poll(undefined, 'manual')).titles).toEqual(['b']);
});

test('all entries of a long feed are remembered, along with earlier entries', async () => {
  feed = [entry('gone', 0)];
  const first = await poll();
  feed = Array.from({ length: 6_000 }, (_, number) => entry('x', number + 1));
  const second = await poll(first.cursor);
  expect(second.entries).toHaveLength(6_000);
  const third = await poll(second.cursor);
  expect(third.entries).toEqual([]);
  feed = [entry('gone', 0)];
  expect((await poll(third.cursor)).entries).toEqual([]);
});

test('the remembered data remains small, regardless of the number of past entries', async () => {
  const many = (from: number) => Array.from({ length: 4_000 }, (_, number) => entry('x', from + number));
  let { cursor } = await poll();
  for (const from of [0, 4_000, 8_000, 12_000]) {
    feed = many(from);
    ({ cursor } = await poll(cursor));
  }
  expect(cursor?.['seen']).toHaveLength(9_000);
});

test('a feed with more entries than can be remembered is an error', async () => {
  feed = Array.from({ length: 40_001 }, (_, number) => `<item><guid>${number}</guid></item>`);
  await expect(poll()).rejects.toThrow('the feed has 40001 entries, but at most 40000 can be remembered');
});
