import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { JsonObject } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { type HttpTestServer, httpServer } from '../../testing/http-server.ts';
import { feedEntries } from './feed-entries.ts';
import { rssFeedRead } from './rss-feed-read.ts';

const rss = `<?xml version="1.0"?>
<rss version="2.0" xmlns:itunes="i" xmlns:media="m" xmlns:content="c" xmlns:dc="d"><channel><title>Feed</title>
<item><title>One</title><link>https://example.com/1</link><pubDate>Tue, 05 Mar 2024 07:08:09 GMT</pubDate>
<dc:creator>Ada</dc:creator><description><![CDATA[<p>a &amp; b</p><p>c</p>]]></description>
<content:encoded>&lt;b&gt;all&lt;/b&gt;</content:encoded><guid isPermaLink="false">g1</guid><category>x</category><category>y</category>
<enclosure url="https://example.com/1.mp3" length="5" type="audio/mpeg"/><itunes:duration>10</itunes:duration>
<itunes:image href="https://example.com/i.png"/><media:thumbnail url="t.png"/><media:credit>C</media:credit></item>
<item><title>Two</title><pubDate>someday</pubDate></item></channel></rss>`;

const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>
<entry><title type="html">One</title><link rel="self" href="s"/><link href="https://example.com/1"/><id>urn:1</id>
<published>2024-03-05T07:08:09Z</published><updated>2024-03-06T00:00:00Z</updated><author><name>Ada</name></author>
<content type="html">&lt;i&gt;text&lt;/i&gt;</content><summary>short</summary></entry></feed>`;

const rdf = `<rdf:RDF xmlns:rdf="r"><channel><title>Feed</title></channel>
<item rdf:about="https://example.com/1"><title>One</title><dc:date>2024-03-05</dc:date></item></rdf:RDF>`;

const longCount = 400_000;
const long = `<rss><channel>${'<item><title>a</title></item>'.repeat(longCount)}</channel></rss>`;

const one: JsonObject = {
  creator: 'Ada',
  title: 'One',
  link: 'https://example.com/1',
  pubDate: 'Tue, 05 Mar 2024 07:08:09 GMT',
  'dc:creator': 'Ada',
  'content:encoded': '<b>all</b>',
  'content:encodedSnippet': 'all',
  content: '<p>a &amp; b</p><p>c</p>',
  contentSnippet: 'a & b\nc',
  guid: 'g1',
  categories: ['x', 'y'],
  enclosure: { url: 'https://example.com/1.mp3', length: '5', type: 'audio/mpeg' },
  itunes: { duration: '10', image: 'https://example.com/i.png' },
  isoDate: '2024-03-05T07:08:09.000Z',
};

describe('the entries of a feed', () => {
  test('are read from RSS', async () => {
    expect(await feedEntries(rss, [])).toEqual([one, { title: 'Two', pubDate: 'someday' }]);
  });

  test('include the requested elements', async () => {
    const [entry] = await feedEntries(rss, ['media:thumbnail', 'media:credit', 'none']);
    expect(entry).toEqual({ ...one, 'media:thumbnail': { $: { url: 't.png' } }, 'media:credit': 'C' });
  });

  test('are read from Atom', async () => {
    expect(await feedEntries(atom, [])).toEqual([
      {
        title: 'One',
        link: 'https://example.com/1',
        pubDate: '2024-03-05T07:08:09.000Z',
        author: 'Ada',
        content: '<i>text</i>',
        contentSnippet: 'text',
        summary: 'short',
        id: 'urn:1',
        isoDate: '2024-03-05T07:08:09.000Z',
      },
    ]);
  });

  test('are read from RDF', async () => {
    expect(await feedEntries(rdf, [])).toEqual([
      {
        date: '2024-03-05',
        title: 'One',
        'dc:date': '2024-03-05',
        'rdf:about': 'https://example.com/1',
        isoDate: '2024-03-05T00:00:00.000Z',
      },
    ]);
  });

  test.each([
    [
      'Invalid character entity',
      '<!DOCTYPE r [<!ENTITY a "boom"><!ENTITY b "&a;&a;">]><rss><channel><item><title>&b;</title></item></channel></rss>',
    ],
    ['Invalid character entity', '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><rss><channel>&e;</channel></rss>'],
    ['neither RSS nor Atom', '<html><body/></html>'],
    ['Unclosed root tag', '<rss>'],
    ['no element', ''],
  ])('are invalid, with the reason: %s', async (message, feed) => {
    await expect(feedEntries(feed, [])).rejects.toThrow(message);
  });

  test('are not changed by an element named __proto__', async () => {
    const entries = await feedEntries('<rss><channel><item><__proto__><x>1</x></__proto__></item></channel></rss>', [
      '__proto__',
    ]);
    expect(Object.getPrototypeOf(entries[0])).toBe(Object.prototype);
    expect(({} as JsonObject)['x']).toBeUndefined();
  });

  test('adversarial markup is parsed quickly', async () => {
    const before = process.cpuUsage();
    const text = '&lt;'.repeat(300_000) + 'a&lt;h'.repeat(100_000);
    await feedEntries(`<rss><channel><item><description>${text}</description></item></channel></rss>`, []);
    expect(process.cpuUsage(before).user).toBeLessThan(30_000_000); // µs of CPU time, so that a busy machine does not fail the test
  });
});

describe('the node', () => {
  const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
  let server: HttpTestServer;

  beforeAll(async () => {
    server = await httpServer(({ url }, response) => {
      if (url === '/gone') response.writeHead(404).end();
      else if (url === '/moved') response.writeHead(301, { location: '/feed' }).end();
      else response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(url === '/long' ? long : rss);
    });
  });
  afterEach(() => {
    server.received.length = 0;
  });
  afterAll(async () => {
    await http.close();
    await server.close();
  });

  const at = (path: string, more: Partial<FakeRun> = {}): FakeRun => ({
    http,
    parameters: { url: server.origin + path },
    json: [{}, {}],
    ...more,
  });

  test('reads one feed in version 1, for all items together', async () => {
    const [items] = await runNode(rssFeedRead, at('/moved', { typeVersion: 1 }));
    expect(items?.map(({ json, pairedItem }) => [json['title'], pairedItem])).toEqual([
      ['One', [{ item: 0 }, { item: 1 }]],
      ['Two', [{ item: 0 }, { item: 1 }]],
    ]);
    expect(server.received.filter(({ url }) => url === '/feed')).toHaveLength(1);
  });

  test.each([1.1, 1.2])('reads one feed per item in version %d', async (typeVersion) => {
    const [items] = await runNode(rssFeedRead, at('/feed', { typeVersion }));
    expect(items?.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
  });

  test('does not block the event loop while it reads a feed with many entries', async () => {
    let items: unknown[] | undefined;
    const busy = await longestBusy(async () => {
      [items] = (await runNode(rssFeedRead, at('/long', { json: [{}] }))) as unknown[][];
    });
    expect(items).toHaveLength(longCount);
    expect(busy).toBeLessThan(250);
  }, 60_000);

  test.each([1, 1.2])('version %d: a missing feed is an error, or an item with an error', async (typeVersion) => {
    await expect(runNode(rssFeedRead, at('/gone', { typeVersion }))).rejects.toMatchObject({
      code: 'NODE_API_ERROR',
      itemIndex: 0,
      message: 'the service returned 404 Not Found',
    });
    const items = await runForJson(rssFeedRead, at('/gone', { typeVersion, continueOnFail: true }));
    expect(items).toHaveLength(typeVersion === 1 ? 1 : 2);
    expect(items[0]).toEqual({ error: expect.stringContaining('404') });
  });
});
