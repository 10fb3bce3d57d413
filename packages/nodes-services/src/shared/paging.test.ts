import { expect, test } from '@jest/globals';
import type { HttpRequest, JsonValue } from '@sluice/node-sdk';
import { fakeContext } from '@sluice/nodes-base/testing';
import { ApiClient, accessOf } from './api-client.ts';
import { cursorPaging, linkPaging, type Paging, sendAll } from './paging.ts';

const client = new ApiClient({ service: 'Acme', credentialType: () => undefined, baseUrl: 'https://a.example' });

/** Sends a list request to a service with these pages; returns the list and the URLs. */
async function listOf(pages: readonly JsonValue[], paging: Paging, limit?: number) {
  const urls: string[] = [];
  const request = async ({ url }: HttpRequest) => {
    urls.push(url);
    return { status: 200, statusText: '', headers: {}, body: Buffer.from(JSON.stringify(pages[urls.length - 1])), url };
  };
  const access = accessOf(fakeContext({ http: { request } }), 0);
  return { records: await sendAll(client, access, { path: '/list', query: { size: 2 } }, paging, limit), urls };
}

const paging = cursorPaging('data.items', 'meta.next', 'cursor');
const pages = [
  { data: { items: [{ id: 1 }, { id: 2 }] }, meta: { next: 'a b' } },
  { data: { items: [{ id: 3 }] }, meta: { next: '' } },
];

test('a list is read to its end', async () => {
  const { records, urls } = await listOf(pages, paging);
  expect(records).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(urls).toEqual(['https://a.example/list?size=2', 'https://a.example/list?size=2&cursor=a+b']);
});

test('no page is read beyond the limit', async () => {
  const { records, urls } = await listOf(pages, paging, 2);
  expect([records, urls]).toEqual([[{ id: 1 }, { id: 2 }], ['https://a.example/list?size=2']]);
});

test('a next-page path replaces the query; values that are not objects become `value`', async () => {
  const next: Paging['next'] = (_, count) => (count < 2 ? { path: 'https://a.example/next?p=2' } : undefined);
  const { records, urls } = await listOf([['x'], ['y']], { list: '', next });
  expect(records).toEqual([{ value: 'x' }, { value: 'y' }]);
  expect(urls[1]).toBe('https://a.example/next?p=2');
});

test.each<[string | undefined, object | undefined]>([
  ['<https://a.example/2>; rel="next", <https://a.example/1>; rel="prev"', { path: 'https://a.example/2' }],
  ['<https://a.example/1>; rel="prev"', undefined],
  [undefined, undefined],
])('the header link %j leads to %j', (link, next) => {
  const response = {
    status: 200,
    statusText: '',
    headers: link === undefined ? {} : { link },
    body: [],
    start: '',
    byteLength: 2,
    url: '',
  };
  expect(linkPaging('').next(response, 1, 1)).toEqual(next);
});

test('lists that together exceed 64 MiB end with an error', async () => {
  const body = Buffer.from(JSON.stringify({ data: { items: [{ text: 'x'.repeat(1024 * 1024) }] }, meta: { next: 'more' } }));
  let sent = 0;
  const request = async ({ url }: HttpRequest) => {
    sent += 1;
    return { status: 200, statusText: '', headers: {}, body, url };
  };
  const access = { ...accessOf(fakeContext({ http: { request } }), 3), listed: { bytes: 60 * 1024 * 1024 } };
  await expect(sendAll(client, access, { path: '/list' }, paging, 10)).rejects.toMatchObject({
    code: 'RESULT_TOO_LARGE',
    itemIndex: 3,
  });
  expect(sent).toBe(4);
});
