import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { runForJson } from '../../testing/fake-context.ts';
import { type HttpTestServer, httpServer, sendJson } from '../../testing/http-server.ts';
import { httpRequest } from './http-request.ts';

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
let server: HttpTestServer;
let lastPage = 3;
const jsonHead = { 'content-type': 'application/json' };

/**
 * Pages 1 to `lastPage` have two elements each; `/linked` contains the next page's URL, `/same`
 * never advances, `/large` is endless.
 */
beforeAll(async () => {
  server = await httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://host');
    const page = Number(searchParams.get('page') ?? request.headers['x-page'] ?? 1);
    const isPast = page > lastPage;
    const respond: Record<string, () => void> = {
      '/same': () => sendJson(response, [{ n: 1 }]),
      '/large': () => response.writeHead(200, jsonHead).end(`[${'{},'.repeat(600_000)}{"page":${page}}]`),
      '/linked': () => sendJson(response, { page, next: page < lastPage ? `/linked?page=${page + 1}` : null }),
    };
    const numbered = () => sendJson(response, isPast ? [] : [{ n: 2 * page - 1 }, { n: 2 * page }]);
    if (pathname === '/coded' && isPast) sendJson(response, { message: 'no such page' }, 404);
    else (respond[pathname] ?? numbered)();
  });
});
afterEach(() => {
  server.received.length = 0;
  lastPage = 3;
});
afterAll(async () => {
  await http.close();
  await server.close();
});

type Names = Record<string, JsonValue>;

/** Replaces the sandbox: returns the value of the expression at a path. */
function pages(
  path: string,
  pagination: JsonObject,
  expressions: Record<string, (names: Names) => JsonValue | undefined>,
  more: JsonObject = {},
): Promise<JsonObject[]> {
  return runForJson(httpRequest, {
    http,
    parameters: { url: server.origin + path, ...more, options: { pagination: { pagination } } },
    evaluate: (name, itemIndex, names) => {
      expect(itemIndex).toBe(0);
      return expressions[name.split('.')[3] ?? '']?.(names) ?? undefined;
    },
    credentials: { httpHeaderAuth: { name: 'X-Key', value: 'v' } },
  });
}

const update = { paginationMode: 'updateAParameterInEachRequest' };
const byQuery = { parameters: ({ $pageCount }: Names) => [{ type: 'qs', name: 'page', value: Number($pageCount) + 1 }] };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ n: index + 1 }));

describe('pagination by a parameter', () => {
  test('repeats until a page is empty, which yields no item', async () => {
    expect(await pages('/list?page=0&size=2', update, byQuery)).toEqual(numbers(6));
    expect(server.received.map(({ url }) => url)).toEqual([1, 2, 3, 4].map((page) => `/list?size=2&page=${page}`));
  });

  test('changes a header and a JSON body', async () => {
    const change = ({ $pageCount }: Names) => [
      { type: 'headers', name: 'X-Page', value: Number($pageCount) + 1 },
      { type: 'body', name: 'at.page', value: Number($pageCount) },
      { type: 'body', name: 'cursor', value: null },
    ];
    const body = { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody: '{"size":2}' };
    expect(await pages('/list', update, { parameters: change }, body)).toEqual(numbers(6));
    expect(server.received.map((received) => received.body.toString())).toEqual(
      [0, 1, 2, 3].map((page) => `{"size":2,"at":{"page":${page}}}`),
    );
  });

  test('changes a 15 MB form while other work continues', async () => {
    const change = ({ $pageCount }: Names) => [{ type: 'body', name: 'page', value: Number($pageCount) }];
    const form = { method: 'POST', sendBody: true, contentType: 'form-urlencoded', specifyBody: 'string' };
    const body = `page=x&a=${'+'.repeat(15_000_000)}`;
    lastPage = 0;
    const busy = await longestBusy(() => pages('/list', update, { parameters: change }, { ...form, body }));
    expect(server.received[0]?.body.subarray(0, 10).toString()).toBe('page=0&a=+');
    expect(busy).toBeLessThan(250);
  });

  test('repeats until the service responds with a status that ends the list', async () => {
    const complete = { paginationCompleteWhen: 'receiveSpecificStatusCodes', statusCodesWhenComplete: '404, 410' };
    expect(await pages('/coded', { ...update, ...complete }, byQuery)).toEqual(numbers(6));
  });

  test('repeats until an expression over request and response is true', async () => {
    const seen: Names[] = [];
    const completeExpression = (names: Names) => {
      seen.push(names);
      return names['$pageCount'] === 2;
    };
    expect(await pages('/list', { ...update, paginationCompleteWhen: 'other' }, { ...byQuery, completeExpression })).toEqual(
      numbers(4),
    );
    expect(seen[1]).toMatchObject({
      $pageCount: 2,
      $request: { method: 'GET', url: `${server.origin}/list`, qs: { page: 2 } },
      $response: { statusCode: 200, body: [{ n: 3 }, { n: 4 }], headers: { 'content-type': 'application/json' } },
    });
  });

  test('repeats up to the limit of requests, with a pause between them', async () => {
    const startedAt = Date.now();
    const limit = { limitPagesFetched: true, maxRequests: 2, requestInterval: 50 };
    expect(await pages('/list', { ...update, ...limit }, byQuery)).toEqual(numbers(4));
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(45);
  });

  test('an endless list of identical pages is an error', async () => {
    await expect(pages('/same', update, byQuery)).rejects.toThrow('no end');
    expect(server.received).toHaveLength(6);
  });

  test('endless large pages are an error before they fill the memory, and do not block the event loop', async () => {
    const busy = await longestBusy(() => expect(pages('/large', update, byQuery)).rejects.toThrow('contain too much data'));
    expect(server.received).toHaveLength(2);
    expect(busy).toBeLessThan(250);
  });

  test('any other status is the page’s error', async () => {
    await expect(pages('/coded', update, byQuery)).rejects.toThrow('404 Not Found: no such page');
  });
});

describe('pagination by a URL in the response', () => {
  const follow = { paginationMode: 'responseContainsNextURL' };
  const nextURL = ({ $response }: Names) => ($response as { body: { next: string | null } }).body.next;

  test('repeats until there is no next URL; URLs may be relative, and the query is not added twice', async () => {
    const query = { sendQuery: true, queryParameters: { parameters: [{ name: 'page', value: 1 }] } };
    const items = await pages('/linked', follow, { nextURL }, query);
    expect(items.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(server.received.map(({ url }) => url)).toEqual([1, 2, 3].map((page) => `/linked?page=${page}`));
  });

  test('is an error if the next URL is the same', async () => {
    await expect(pages('/linked', follow, { nextURL: () => '/linked' })).rejects.toThrow(
      'the next page is the same as the previous page',
    );
  });

  test.each<[JsonObject]>([
    [{ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' }],
    [{ sendHeaders: true, headerParameters: { parameters: [{ name: 'X-Key', value: 'v' }] } }],
  ])('sends no secrets to another origin: %j', async (more) => {
    const elsewhere = () => server.origin.replace('127.0.0.1', 'localhost');
    await expect(pages('/linked', follow, { nextURL: elsewhere }, more)).rejects.toThrow('at another origin');
    expect(server.received).toHaveLength(1);
  });

  test('does not send query parameters, which may include a key, to another origin', async () => {
    const query = { sendQuery: true, queryParameters: { parameters: [{ name: 'key', value: 'secret' }] } };
    const elsewhere = () => `${server.origin.replace('127.0.0.1', 'localhost')}/linked?page=2`;
    const twice = { ...follow, limitPagesFetched: true, maxRequests: 2 };
    expect(await pages('/linked?page=1', twice, { nextURL: elsewhere }, query)).toHaveLength(2);
    expect(server.received.map(({ url }) => url)).toEqual(['/linked?page=1&key=secret', '/linked?page=2']);
  });

  test('is an error if the next URL is invalid', async () => {
    await expect(pages('/linked', follow, { nextURL: () => 5 })).rejects.toThrow('the URL of the next page is the number 5');
  });
});

test('sends one request if pagination is off', async () => {
  expect(await pages('/list', { paginationMode: 'off' }, {})).toEqual(numbers(2));
});
