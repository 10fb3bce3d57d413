import { describe, expect, test } from '@jest/globals';
import { AppError } from '@sluice/domain';
import type { HttpRequest, HttpResponse } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { fakeContext } from '../testing/fake-context.ts';
import { requestHelpers } from './request-helpers.ts';
import { toNodeError } from './to-node-error.ts';

function helpers(respond: Partial<HttpResponse> | string = '{}') {
  const requests: HttpRequest[] = [];
  const response = typeof respond === 'string' ? { body: Buffer.from(respond) } : respond;
  const context = fakeContext({
    respond: (request) => {
      requests.push(request);
      return response;
    },
  });
  return { requests, ...requestHelpers(context) };
}
const textOf = (body: HttpRequest['body']) => (body instanceof Uint8Array ? Buffer.from(body).toString() : body);

function formOf(value: string | Blob): FormData {
  const form = new FormData();
  form.append('a', value as Blob);
  return form;
}

describe('httpRequest', () => {
  test('sends objects as JSON, and reads JSON', async () => {
    const { requests, httpRequest } = helpers('{"ok":true}');
    const received = await httpRequest({
      method: 'POST',
      baseURL: 'http://a/',
      url: '/b',
      qs: { x: [1, 2], y: null },
      body: { n: 1 },
      json: true,
    });
    expect(received).toEqual({ ok: true });
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'http://a/b?x%5B0%5D=1&x%5B1%5D=2&y=',
      body: '{"n":1}',
      maxRedirects: 10,
    });
    expect({ ...requests[0]?.headers }).toEqual({ 'content-type': 'application/json', accept: 'application/json' });
  });

  test.each([
    ['repeat', 'x=1&x=2'],
    ['brackets', 'x%5B%5D=1&x%5B%5D=2'],
    ['comma', 'x=1%2C2'],
  ] as const)('writes lists of the query in the chosen format: %s', async (arrayFormat, query) => {
    const { requests, httpRequest } = helpers();
    await httpRequest({ url: 'http://a', qs: { x: [1, 2] }, arrayFormat });
    expect(requests[0]?.url).toBe(`http://a?${query}`);
  });

  test('encodes forms by their content type, and native FormData', async () => {
    const { requests, httpRequest } = helpers();
    const form = new FormData();
    form.append('a', 'b');
    await httpRequest({
      method: 'POST',
      url: 'http://a',
      body: { a: 'b c' },
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    await httpRequest({ method: 'POST', url: 'http://a', body: form, headers: { 'content-type': 'multipart/form-data' } });
    expect(requests[0]?.body).toBe('a=b%20c');
    expect(textOf(requests[1]?.body)).toContain('name="a"');
    expect(requests[1]?.headers?.['content-type']).toContain('boundary=');
  });

  test.each<[string, () => unknown]>([
    ['line breaks in a form', () => formOf('\n'.repeat(15_000_000))],
    ['a large file', () => formOf(new Blob([Buffer.alloc(15_000_000, '\n')]))],
    ['JSON', () => ({ list: Array.from({ length: 2_000_000 }, () => ({})) })],
  ])('other work continues while a body of 15 MB is written: %s', async (_, make) => {
    const { requests, httpRequest } = helpers();
    const body = make();
    expect(await longestBusy(() => httpRequest({ method: 'POST', url: 'http://a', body }))).toBeLessThan(250);
    expect(Buffer.from((requests[0]?.body ?? '') as string).length).toBeGreaterThan(6_000_000);
  });

  test('other work continues while a response of 15 MB is read', async () => {
    const { httpRequest } = helpers({ body: Buffer.from(`[${'{"n":1},'.repeat(1_900_000)}{}]`) });
    let result: unknown;
    expect(await longestBusy(async () => (result = await httpRequest({ url: 'http://a' })))).toBeLessThan(250);
    expect((result as unknown[]).length).toBe(1_900_001);
  });

  test('a response with millions of empty lists is not parsed', async () => {
    const body = `[${'[],'.repeat(2_000_000)}[]]`;
    const { httpRequest } = helpers({ body: Buffer.from(body) });
    expect((await httpRequest({ url: 'http://a' })) === body).toBe(true);
  });

  test('returns bytes, strings, and full responses on request', async () => {
    const { httpRequest } = helpers({ status: 201, headers: { a: 'b' }, body: Buffer.from('7') });
    expect(await httpRequest({ url: 'http://a', encoding: 'arraybuffer' })).toEqual(Buffer.from('7'));
    expect(await httpRequest({ url: 'http://a', encoding: 'text' })).toBe('7');
    expect(await httpRequest({ url: 'http://a', returnFullResponse: true })).toEqual({
      body: 7,
      headers: { a: 'b' },
      statusCode: 201,
      statusMessage: 'OK',
    });
  });

  test('throws the error that packages expect for an error status, unless the status is ignored', async () => {
    const { httpRequest } = helpers({ status: 404, body: Buffer.from('{"message":"gone"}') });
    await expect(httpRequest({ url: 'http://a' })).rejects.toMatchObject({
      statusCode: 404,
      httpCode: '404',
      response: { status: 404, data: { message: 'gone' } },
    });
    expect(await httpRequest({ url: 'http://a', ignoreHttpStatusErrors: true })).toEqual({ message: 'gone' });
    const except = { ignore: true, except: [404] };
    await expect(httpRequest({ url: 'http://a', ignoreHttpStatusErrors: except })).rejects.toThrow('404');
  });

  test('supports connection options', async () => {
    const { requests, httpRequest } = helpers();
    const auth = { username: 'u', password: 'p' };
    await httpRequest({ url: 'http://a', skipSslCertificateValidation: true, disableFollowRedirect: true, timeout: 5, auth });
    expect(requests[0]).toMatchObject({ tls: { rejectUnauthorized: false }, maxRedirects: 0, timeoutMs: 5 });
    expect(requests[0]?.headers?.['authorization']).toBe('Basic dTpw');
  });
});

describe('the older request function', () => {
  test('reads strings, JSON on request, and bytes', async () => {
    const { request } = helpers('{"ok":true}');
    expect(await request({ uri: 'http://a' })).toBe('{"ok":true}');
    expect(await request({ uri: 'http://a', json: true })).toEqual({ ok: true });
    expect(await request('http://a', { encoding: null })).toEqual(Buffer.from('{"ok":true}'));
  });

  test('sends forms and files', async () => {
    const { requests, request } = helpers();
    await request({ uri: 'http://a', method: 'POST', form: { a: { b: 1 } } });
    const file = { value: Buffer.from('hi'), options: { filename: 'x.txt', contentType: 'text/plain' } };
    await request({ uri: 'http://a', method: 'POST', formData: { file, tags: ['s', 't'] } });
    expect(requests[0]?.body).toBe('a%5Bb%5D=1');
    const sent = textOf(requests[1]?.body) as string;
    expect(sent).toContain('filename="x.txt"');
    expect(sent.match(/name="tags"/g)).toHaveLength(2);
  });

  test('accepts any status with `simple: false`, and returns the whole response', async () => {
    const { request } = helpers({ status: 500, body: Buffer.from('no') });
    expect(await request({ uri: 'http://a', simple: false, resolveWithFullResponse: true })).toMatchObject({
      statusCode: 500,
      body: 'no',
    });
    await expect(request({ uri: 'http://a', json: true })).rejects.toMatchObject({ statusCode: 500, error: 'no' });
  });
});

describe('a request without a response', () => {
  const failing = (error: Error) => requestHelpers({ ...fakeContext(), http: { request: () => Promise.reject(error) } });
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const closed = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  const failed = (cause: Error) => new AppError({ code: 'HTTP_FAILED', message: 'no response', kind: 'transient', cause });

  test.each([
    [failed(refused), 'ECONNREFUSED'],
    [failed(new AggregateError([refused, closed])), 'ECONNREFUSED'],
    [failed(closed), 'ECONNRESET'],
    [new AppError({ code: 'HTTP_TIMEOUT', message: 'no response', kind: 'transient' }), 'ECONNABORTED'],
    [new AppError({ code: 'HTTP_BLOCKED', message: 'no response' }), 'HTTP_BLOCKED'],
  ])('throws an error with the members that packages read: %#', async (error, code) => {
    const thrown = await failing(error)
      .httpRequest({ url: 'http://a' })
      .catch((reason: unknown) => reason);
    expect(thrown).toMatchObject({ message: 'no response', code });
    expect(toNodeError(thrown)).toBe(error);
  });

  test('with a credential is a node error, with the code in place of the status', async () => {
    const error = failed(refused);
    const thrown = await failing(error)
      .httpRequestWithAuthentication('acmeApi', { url: 'http://a' })
      .catch((reason: unknown) => reason);
    expect(thrown).toMatchObject({ name: 'NodeApiError', httpCode: 'ECONNREFUSED' });
    expect(toNodeError(thrown)).toBe(error);
  });
});

describe('an error of a package', () => {
  const circular: { self?: object } = {};
  circular.self = circular;
  test.each([[circular], [() => 1], [1n], [{ size: 1n }], [new Uint8Array([1])]])(
    'is unaffected by the response: %#',
    (data) => {
      const error = Object.assign(new Error('Not there'), { response: { status: 404, data } });
      expect(toNodeError(error)).toMatchObject({ message: 'Not there', details: { status: 404 } });
    },
  );

  test('is unchanged if a member throws', () => {
    const error = Object.defineProperty(new Error('Not there'), 'response', {
      get: () => {
        throw new Error('nor is this');
      },
    });
    expect(toNodeError(error)).toMatchObject({ message: 'Not there', code: 'NODE_OPERATION_ERROR' });
  });

  test("keeps the service's response if it is JSON", () => {
    const data = { reason: 'gone', when: new Date(0) };
    const error = Object.assign(new Error('Not there'), { response: { status: 404, data } });
    expect(toNodeError(error)).toMatchObject({ details: { body: { reason: 'gone', when: '1970-01-01T00:00:00.000Z' } } });
  });
});

describe('requests with a credential', () => {
  test('fail as node errors', async () => {
    const { httpRequestWithAuthentication } = helpers({ status: 403, body: Buffer.from('{"error":{"message":"not you"}}') });
    await expect(httpRequestWithAuthentication('acmeApi', { url: 'http://a' })).rejects.toMatchObject({
      name: 'NodeApiError',
      httpCode: '403',
      description: 'not you',
    });
  });
});
