import { describe, expect, test } from '@jest/globals';
import { AppError, type HttpClient, type HttpRequest, type HttpResponse, type JsonObject } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { httpRequest } from './http-request.ts';

const url = 'https://api.example/things';

function answer(body: string, more: Partial<HttpResponse> = {}): HttpResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, statusText: 'OK', headers, body: Buffer.from(body), url, ...more };
}

/** A client that returns the same response to every request and records the requests. */
function fakeClient(response: HttpResponse | ((request: HttpRequest) => HttpResponse | Promise<HttpResponse>) = answer('{}')) {
  const requests: HttpRequest[] = [];
  const request: HttpClient['request'] = async (sent) => {
    requests.push(sent);
    return typeof response === 'function' ? response(sent) : response;
  };
  return { request, requests };
}

async function requestFor(parameters: JsonObject, typeVersion?: number): Promise<HttpRequest | undefined> {
  const http = fakeClient();
  await runNode(httpRequest, { http, parameters: { url, ...parameters }, ...(typeVersion && { typeVersion }) });
  return http.requests[0];
}

const pairs = (...list: [string, string | number][]): JsonObject => ({
  parameters: list.map(([name, value]) => ({ name, value })),
});

describe('the request', () => {
  test('is a GET without a body by default', async () => {
    expect(await requestFor({})).toEqual({
      method: 'GET',
      url,
      headers: { accept: expect.any(String) },
      timeoutMs: 300_000,
      maxRedirects: 21,
      maxResponseBytes: Number.POSITIVE_INFINITY,
    });
  });

  test.each<[JsonObject, string]>([
    [{ queryParameters: pairs(['a', 'b c'], ['n', 5], ['', 'x']) }, `${url}?a=b%20c&n=5`],
    [{ url: `${url}?x=1#part`, queryParameters: pairs(['a', 'b']) }, `${url}?x=1&a=b#part`],
    [{ specifyQuery: 'json', jsonQuery: '{"a":[1,2],"o":{"x":{"y":1}}}' }, `${url}?a%5B0%5D=1&a%5B1%5D=2&o%5Bx%5D%5By%5D=1`],
    [{ specifyQuery: 'json', jsonQuery: { a: [1] }, options: { queryParameterArrays: 'brackets' } }, `${url}?a%5B%5D=1`],
    [{ specifyQuery: 'json', jsonQuery: { a: [1, 2] }, options: { queryParameterArrays: 'repeat' } }, `${url}?a=1&a=2`],
    [{ specifyQuery: 'json', jsonQuery: { a: [1] }, options: { queryParameterArrays: 'indices' } }, `${url}?a%5B0%5D=1`],
  ])('query %j', async (parameters, expected) => {
    expect((await requestFor({ sendQuery: true, ...parameters }))?.url).toBe(expected);
  });

  test.each<[JsonObject]>([
    [{ headerParameters: pairs(['X-Key', 'k'], ['Accept', 'text/csv']) }],
    [{ specifyHeaders: 'json', jsonHeaders: '{"X-Key":"k","Accept":"text/csv"}' }],
  ])('headers replace the default headers: %j', async (parameters) => {
    expect((await requestFor({ sendHeaders: true, ...parameters }))?.headers).toEqual({ accept: 'text/csv', 'x-key': 'k' });
  });

  const missing = { name: 'a', value: '={{ $json.missing }}' };

  test.each<[JsonObject, JsonObject, Partial<HttpRequest>]>([
    [{ bodyParameters: { parameters: [missing, { name: 'b', value: 1 }] } }, { sendBody: true }, { body: '{"b":1}' }],
    [{ bodyParameters: { parameters: [{ name: 'a' }] } }, { sendBody: true }, { body: '{"a":""}' }],
    [{ queryParameters: { parameters: [missing, { name: 'b', value: 1 }] } }, { sendQuery: true }, { url: `${url}?b=1` }],
  ])('a field with an undefined expression is not sent: %j', async (written, sent, expected) => {
    const [[name, { parameters: list }]] = Object.entries(written) as [[string, { parameters: JsonObject[] }]];
    const resolved = list.map((entry) => (entry['value'] === missing.value ? { name: 'a' } : entry));
    const http = fakeClient();
    const parameters = { url, method: 'POST', ...sent, [name]: { parameters: resolved } };
    await runNode(httpRequest, { http, typeVersion: 4.2, parameters, written });
    expect(http.requests[0]).toMatchObject(expected);
  });

  test('a header that is null is not sent', async () => {
    const headerParameters = { parameters: [{ name: 'x-key', value: null }] };
    expect((await requestFor({ sendHeaders: true, headerParameters }))?.headers).toEqual({ accept: expect.any(String) });
  });

  test('disabled parts are not sent', async () => {
    const request = await requestFor({
      queryParameters: pairs(['a', 'b']),
      headerParameters: pairs(['a', 'b']),
      bodyParameters: pairs(['a', 'b']),
    });
    expect(request).toMatchObject({ url, headers: { accept: expect.any(String) } });
    expect(request).not.toHaveProperty('body');
  });

  test.each<[JsonObject, number, string, string]>([
    [{ bodyParameters: pairs(['a.b', 1], ['c', 'd']) }, 4.2, '{"a":{"b":1},"c":"d"}', 'application/json'],
    [{ bodyParameters: pairs(['a.b', 1]) }, 3, '{"a.b":1}', 'application/json'],
    [
      { specifyBody: 'json', jsonBody: '{"id": 12345678901234567890}' },
      4.2,
      '{"id": 12345678901234567890}',
      'application/json',
    ],
    [{ specifyBody: 'json', jsonBody: [1, 2] }, 4.2, '[1,2]', 'application/json'],
    [
      { contentType: 'form-urlencoded', bodyParameters: pairs(['a', 'b c']) },
      4.2,
      'a=b+c',
      'application/x-www-form-urlencoded',
    ],
    [
      { contentType: 'form-urlencoded', bodyParameters: { parameters: [{ name: 'a', value: [1, { b: 'c' }] }] } },
      4.2,
      'a%5B0%5D=1&a%5B1%5D%5Bb%5D=c',
      'application/x-www-form-urlencoded',
    ],
    [{ contentType: 'form-urlencoded', specifyBody: 'string', body: 'x=y' }, 4.2, 'x=y', 'application/x-www-form-urlencoded'],
    [
      { contentType: 'form-urlencoded', specifyBody: 'string', body: 'a=1 2&b=é' },
      4.2,
      'a=1%202&b=%C3%A9',
      'application/x-www-form-urlencoded',
    ],
    [{ contentType: 'raw', body: '<a/>', rawContentType: 'text/xml' }, 4.2, '<a/>', 'text/xml'],
    [{ contentType: 'raw', body: { a: [1] }, rawContentType: 'application/json' }, 4.2, '{"a":[1]}', 'application/json'],
    [{ bodyParameters: { parameters: [{ name: 'a', value: null }] } }, 4.2, '{"a":null}', 'application/json'],
  ])('body %j in version %d', async (parameters, typeVersion, body, contentType) => {
    const request = await requestFor({ method: 'POST', sendBody: true, ...parameters }, typeVersion);
    expect(request).toMatchObject({ method: 'POST', body, headers: { 'content-type': contentType } });
  });

  test.each<[number, JsonObject, number]>([
    [3, {}, 0],
    [4.2, {}, 21],
    [3, { followRedirects: true, maxRedirects: 2 }, 2],
    [4.2, { followRedirects: false }, 0],
  ])('version %d with %j follows %d redirects', async (typeVersion, redirect, maxRedirects) => {
    expect((await requestFor({ options: { redirect: { redirect } } }, typeVersion))?.maxRedirects).toBe(maxRedirects);
  });

  test('the option sets the timeout', async () => {
    expect((await requestFor({ options: { timeout: 5000 } }))?.timeoutMs).toBe(5000);
  });

  test.each<[JsonObject, Partial<HttpRequest>]>([
    [{ options: { proxy: ' http://u:p@proxy.example:3128 ' } }, { proxy: 'http://u:p@proxy.example:3128' }],
    [{ options: { allowUnauthorizedCerts: true } }, { tls: { rejectUnauthorized: false } }],
    [{ method: 'PROPFIND', options: { webdavMethods: true } }, { method: 'PROPFIND' }],
    [
      { sendHeaders: true, headerParameters: pairs(['X-Key', 'k']), options: { lowercaseHeaders: false } },
      { headers: { accept: expect.any(String) as unknown as string, 'X-Key': 'k' }, keepHeaderCase: true },
    ],
  ])('options: %j', async (parameters, expected) => {
    expect(await requestFor(parameters)).toMatchObject(expected);
  });

  test('a credential’s certificates are used', async () => {
    const http = fakeClient();
    const cert = '-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n';
    await runNode(httpRequest, {
      http,
      parameters: { url, provideSslCertificates: true },
      credentials: { httpSslAuth: { cert: cert.repeat(2), key: '', passphrase: 'p' } },
    });
    expect(http.requests[0]?.tls).toEqual({ cert: cert.repeat(2), passphrase: 'p' });
  });

  test.each<[JsonObject, string]>([
    [{ url: ' ' }, '"url" is required'],
    [{ method: 'CONNECT' }, '"method"'],
    [{ sendBody: true, specifyBody: 'json', jsonBody: '{a' }, '"jsonBody" is not valid JSON'],
    [{ sendQuery: true, specifyQuery: 'json', jsonQuery: '[1]' }, '"jsonQuery"'],
    [{ options: { timeout: 'long' } }, '"options.timeout"'],
    [{ options: { timeout: 0 } }, '"options.timeout"'],
    [{ sendBody: true, contentType: 'binaryData' }, '"inputDataFieldName" is required'],
    [{ sendBody: true, contentType: 'binaryData', inputDataFieldName: 'pdf' }, 'no file in "pdf"'],
    [
      {
        options: {
          pagination: {
            pagination: { paginationCompleteWhen: 'receiveSpecificStatusCodes', statusCodesWhenComplete: '4o4' },
          },
        },
      },
      'HTTP statuses',
    ],
    [{ authentication: 'genericCredentialType' }, '"genericAuthType" is required'],
    [{ authentication: 'predefinedCredentialType', nodeCredentialType: 'nobodysApi' }, 'not supported yet'],
  ])('%j is refused', async (parameters, message) => {
    await expect(requestFor(parameters)).rejects.toThrow(message);
  });
});

describe('the response', () => {
  const json = (response: HttpResponse, responseOptions: JsonObject = {}, more: Partial<FakeRun> = {}) =>
    runForJson(httpRequest, {
      http: fakeClient(response),
      parameters: { url, options: { response: { response: responseOptions } } },
      ...more,
    });
  const typed = (body: string, contentType: string) => answer(body, { headers: { 'content-type': contentType } });

  test.each<[string, HttpResponse, JsonObject[]]>([
    ['an object', answer('{"a":1}'), [{ a: 1 }]],
    ['a list', answer('[{"a":1},{"a":2}]'), [{ a: 1 }, { a: 2 }]],
    ['a list of plain values', answer('[1,"x"]'), [{ data: 1 }, { data: 'x' }]],
    ['an empty list', answer('[]'), []],
    ['null', answer('null'), [{}]],
    ['nothing', answer(''), [{}]],
    ['a plain value', answer('5'), [{ data: 5 }]],
    ['JSON of a special type', typed('{"a":1}', 'application/hal+json; charset=utf-8'), [{ a: 1 }]],
    ['text', typed('hi', 'text/plain'), [{ data: 'hi' }]],
    [
      'text of another charset',
      answer('', { body: Buffer.from([0xe4]), headers: { 'content-type': 'text/plain; charset=iso-8859-1' } }),
      [{ data: 'ä' }],
    ],
    ['JSON without a type', answer('{"a":1}', { headers: {} }), [{ a: 1 }]],
    ['text without a type', answer('a,b', { headers: {} }), [{ data: 'a,b' }]],
  ])('%s', async (_, response, expected) => {
    expect(await json(response)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['image/svg+xml', ['data']],
    ['application/pdf', ['data']],
    ['application/x-javascript', []],
    ['application/sql', []],
  ])('of type %s has the files %j', async (type, files) => {
    const http = fakeClient(typed('x', type));
    const [items] = await runNode(httpRequest, { http, parameters: { url } });
    expect(Object.keys(items?.[0]?.binary ?? {})).toEqual(files);
  });

  test('text is stored in the field that the option names', async () => {
    expect(await json(answer('{"a":1}'), { responseFormat: 'text', outputPropertyName: 'page' })).toEqual([
      { page: '{"a":1}' },
    ]);
  });

  test('the full response is one item with status and headers', async () => {
    expect(await json(answer('[1]'), { fullResponse: true })).toEqual([
      { body: [1], headers: { 'content-type': 'application/json' }, statusCode: 200, statusMessage: 'OK' },
    ]);
  });

  test('a full response has text in its own field', async () => {
    expect(await json(typed('<p>', 'text/html'), { fullResponse: true })).toMatchObject([{ data: '<p>', statusCode: 200 }]);
  });

  test('a status other than 2xx is a NodeApiError with hint and a bounded part of the body', async () => {
    const response = answer('x'.repeat(5_000), { status: 404, statusText: 'Not Found' });
    await expect(json(response)).rejects.toMatchObject({
      code: 'NODE_API_ERROR',
      message: 'the service returned 404 Not Found',
      itemIndex: 0,
      description: expect.stringContaining('URL'),
      details: { status: 404, body: 'x'.repeat(2_048), truncated: true },
    });
  });

  test('the hint of an error contains the redirect’s origin', async () => {
    const description = expect.stringContaining('redirected to https://www.api.example, which does not receive credentials');
    const response = answer('', { status: 401, url: 'https://www.api.example/things' });
    await expect(json(response)).rejects.toMatchObject({ details: { status: 401 }, description });
  });

  test('never error: any status is an item', async () => {
    expect(await json(answer('{"why":"no"}', { status: 500 }), { neverError: true })).toEqual([{ why: 'no' }]);
  });

  test.each([3, 4.2])('an unfollowed redirect is an error, unless any status is an item: %d', async (typeVersion) => {
    const redirect = answer('', { status: 302, statusText: 'Found' });
    await expect(json(redirect, {}, { typeVersion })).rejects.toMatchObject({
      message: 'the service returned 302 Found',
      description: expect.stringContaining('"Redirects"'),
    });
    expect(await json(redirect, { neverError: true }, { typeVersion })).toEqual([{}]);
  });

  test.each<[HttpResponse, JsonObject, string]>([[answer('{a'), {}, 'not valid JSON']])(
    'an unreadable response is an error',
    async (response, responseOptions, message) => {
      await expect(json(response, responseOptions)).rejects.toThrow(message);
    },
  );
});

describe('several items', () => {
  const parameters = (index: number): JsonObject => ({ url: `${url}/${index}` });
  const lastStep = ({ url: requestUrl }: HttpRequest) => Number(requestUrl.split('/').at(-1));

  test('each item has a request; results are in the order of the items', async () => {
    const http = fakeClient(async (request) => {
      const index = lastStep(request);
      await new Promise((resolve) => setTimeout(resolve, 20 - index));
      return answer(JSON.stringify([{ index }, { index }]));
    });
    const [items] = await runNode(httpRequest, { http, json: Array.from({ length: 12 }, () => ({})), parameters });
    expect(items?.map(({ json, pairedItem }) => [json['index'], pairedItem])).toEqual(
      Array.from({ length: 24 }, (_, place) => [Math.floor(place / 2), { item: Math.floor(place / 2) }]),
    );
  });

  test('at most ten requests, or a batch of requests, are in flight at once', async () => {
    const peak = async (batching: JsonObject, count: number) => {
      let running = 0;
      let most = 0;
      const http = fakeClient(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
        return answer('{}');
      });
      await runNode(httpRequest, {
        http,
        json: Array.from({ length: count }, () => ({})),
        parameters: { url, options: { ...batching } },
      });
      return most;
    };
    expect(await peak({}, 25)).toBe(10);
    expect(await peak({ batching: { batch: { batchSize: 2, batchInterval: 0 } } }, 5)).toBe(2);
    expect(await peak({ batching: { batch: { batchSize: -1 } } }, 25)).toBe(25);
  });

  test('a failed item becomes an item with the error, its message, and its status if the node continues', async () => {
    const http = fakeClient((request) => (lastStep(request) === 0 ? answer('', { status: 500 }) : answer('{"ok":true}')));
    const [items] = await runNode(httpRequest, { http, json: [{ id: 1 }, { id: 2 }], parameters, continueOnFail: true });
    const failure = expect.objectContaining({ message: expect.stringContaining('500'), status: 500, httpCode: '500' });
    expect(items).toEqual([
      { json: { error: failure }, pairedItem: { item: 0 } },
      { json: { ok: true }, pairedItem: { item: 1 } },
    ]);
  });

  test('the failure that ends the node aborts the requests in flight and starts no others', async () => {
    const aborted: number[] = [];
    let started = 0;
    const request: HttpClient['request'] = (sent, signal) => {
      started++;
      const index = lastStep(sent);
      if (index === 1) return Promise.reject(new AppError({ code: 'HTTP_FAILED', message: 'no response', kind: 'transient' }));
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(index);
          reject(signal.reason);
        });
      });
    };
    const run = runNode(httpRequest, { http: { request }, json: Array.from({ length: 13 }, () => ({})), parameters });
    await expect(run).rejects.toMatchObject({ code: 'HTTP_FAILED', message: 'no response', itemIndex: 1 });
    expect([started, aborted.length]).toEqual([10, 9]);
  });

  test('a fired signal ends the node with its reason even if it may continue', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    const request: HttpClient['request'] = (_, signal) =>
      new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        controller.abort(reason);
      });
    const run = runNode(httpRequest, {
      http: { request },
      parameters: { url },
      continueOnFail: true,
      signal: controller.signal,
    });
    await expect(run).rejects.toBe(reason);
  });
});

describe('other work continues', () => {
  const large = (text: string) => text.repeat(7_000_000);

  test.each([[' '], ['é']])('while a large form is encoded: %j', async (character) => {
    const bodyParameters = pairs(['a', large(character)]);
    const work = () => requestFor({ method: 'POST', sendBody: true, contentType: 'form-urlencoded', bodyParameters }, 4.2);
    expect(await longestBusy(work)).toBeLessThan(250);
  });

  test('while a form is refused whose field names repeat a long name for each list element', async () => {
    const jsonBody = { [large('n')]: Array(100_000).fill(0) };
    const form = { method: 'POST', sendBody: true, contentType: 'form-urlencoded', specifyBody: 'json', jsonBody };
    const refused = () => expect(requestFor(form, 4.2)).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
    expect(await longestBusy(refused)).toBeLessThan(250);
  });

  test('while a query that is too long is refused', async () => {
    const work = () => expect(requestFor({ sendQuery: true, queryParameters: pairs(['a', large('  ')]) }, 4.2)).rejects;
    const refused = async () =>
      work().toMatchObject({ code: 'HTTP_INVALID_URL', message: expect.stringContaining('characters') });
    expect(await longestBusy(refused)).toBeLessThan(250);
  });
});

test('a list of more items than a run can store is refused, without blocking the event loop', async () => {
  const http = fakeClient(answer(`[${'1,'.repeat(1_000_000)}1]`));
  let refusal: unknown;
  const busy = await longestBusy(async () => {
    refusal = await runNode(httpRequest, { http, parameters: { url } }).catch((error: unknown) => error);
  });
  expect(refusal).toMatchObject({ message: expect.stringContaining('lists 1000001 items'), itemIndex: 0 });
  expect(busy).toBeLessThan(250);
});
