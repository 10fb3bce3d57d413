import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aNode } from '@sluice/test-support';
import { statusOfEndless } from './support/endless-body.ts';
import { ownerKey } from './support/test-api.ts';
import { aCode, aPath, aSet, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet({ BODY_LIMIT_BYTES: '20000', BINARY_MAX_BYTES: '50000' });
afterAll(() => fleet.close());

describe('the item of a request', () => {
  test('contains the data of the request', async () => {
    const path = await fleet.activateEcho();
    const response = await fleet.post(`${path}?a=1&a=2&b=x`, { n: 1 }, { 'x-own': 'yes' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      headers: expect.objectContaining({ 'x-own': 'yes', 'content-type': 'application/json' }),
      params: {},
      query: { a: ['1', '2'], b: 'x' },
      body: { n: 1 },
      webhookUrl: `https://sluice.example/webhook/${path}`,
      executionMode: 'production',
    });
  });

  test.each<[string, string, unknown]>([
    ['application/json', '[1,null]', [1, null]],
    ['application/vnd.api+json; charset=utf-8', '"x"', 'x'],
    ['application/x-www-form-urlencoded', 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
    ['text/plain', 'hello', 'hello'],
    ['application/xml', '<a/>', '<a/>'],
  ])('has the body of %s', async (type, body, expected) => {
    const path = await fleet.activateEcho();
    const response = await fleet.call(path, { method: 'POST', body, headers: { 'content-type': type } });
    expect(((await response.json()) as JsonObject)['body']).toEqual(expected);
  });

  const [json, fields] = ['application/json', 'application/x-www-form-urlencoded'];
  const latin1 = (text: string) => Buffer.from(text, 'latin1');

  test.each<[string, Buffer, unknown]>([
    [json, Buffer.from('\ufeff{"a":"é"}'), { a: 'é' }],
    [`${json}; charset=iso-8859-1`, latin1('{"a":"é"}'), { a: 'é' }],
    [`${json}; charset="UTF-16LE"`, Buffer.from('{"a":"é"}', 'utf16le'), { a: 'é' }],
    [fields, Buffer.from('é=%C3%A9+b%&c=%zz'), { é: 'é b%', c: '%zz' }],
    [`${fields}; charset=iso-8859-1`, latin1('a=é&é=%E9'), { a: 'é', é: 'é' }],
    ['text/plain; charset=iso-8859-1', latin1('é'), 'é'],
    [`${json}; charset=us-ascii`, Buffer.from('{"a":"é"}'), { a: 'é' }],
    ['multipart/form-data; boundary="B"', Buffer.from('--B\r\n\r\n--B--\r\n'), {}],
  ])('has the body of %s decoded from its charset: %j', async (type, body, expected) => {
    const path = await fleet.activateEcho();
    const response = await fleet.call(path, { method: 'POST', body, headers: { 'content-type': type } });
    expect(((await response.json()) as JsonObject)['body']).toEqual(expected);
  });

  test.each<[string, string, number, string]>([
    [json, '"\xff\xfe"', 400, 'VALIDATION_ERROR'],
    [`${json}; charset=utf-8`, '{"a":"\xe9"}', 400, 'VALIDATION_ERROR'],
    [`${json}; charset=klingon`, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [fields, 'a=\xe9', 400, 'VALIDATION_ERROR'],
    [fields, 'a=b&%E9=c', 400, 'VALIDATION_ERROR'],
    [`${fields}; charset=klingon`, 'a=b', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [`${fields}; charset=utf-16`, 'a=b', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['text/plain; charset=klingon', 'a', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('is not created from %s with %j, which cannot be decoded without loss', async (type, text, status, code) => {
    const [path, stored] = [await fleet.activateEcho(), await fleet.activateEcho({ options: { rawBody: true } })];
    const init = { method: 'POST', body: latin1(text), headers: { 'content-type': type } };
    const refused = await fleet.call(path, init);
    expect([refused.status, await codeOf(refused)]).toEqual([status, code]);
    // The file keeps the complete content.
    expect(await (await fleet.call(stored, init)).json()).toMatchObject({ body: {} });
  });

  test('is sent to the output of its method', async () => {
    const path = aPath();
    const webhook = aNode({
      name: 'Webhook',
      type: 'base.webhook',
      typeVersion: 2,
      parameters: { path, multipleMethods: true, httpMethod: ['GET', 'PUT'], responseMode: 'lastNode' },
    });
    const to = (node: string) => [{ node, type: 'main', index: 0 }];
    const nodes = [webhook, aSet('Got', '={{ { got: true } }}'), aSet('Put', '={{ { put: true } }}')];
    const connections = { Webhook: { main: [to('Got'), to('Put')] } };
    const { body } = await fleet.api.call('POST', '/workflows', { body: { name: 'w', nodes, connections, settings: {} } });
    await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect(await (await fleet.call(path)).json()).toEqual({ got: true });
    expect(await (await fleet.call(path, { method: 'PUT' })).json()).toEqual({ put: true });
    const refused = await fleet.call(path, { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow'), await codeOf(refused)]).toEqual([
      405,
      'GET, OPTIONS, PUT',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  test.each<[string, string, string, number]>([
    ['that is not valid JSON', 'application/json', '{', 400],
    ['that is too large', 'application/json', JSON.stringify('x'.repeat(30_000)), 413],
    ['that is nested too deep', 'application/json', `${'['.repeat(200)}${']'.repeat(200)}`, 400],
  ])('is not created from a body %s', async (_, type, body, status) => {
    const path = await fleet.activateEcho();
    expect((await fleet.call(path, { method: 'POST', body, headers: { 'content-type': type } })).status).toBe(status);
  });

  test('has a maximum size, whether declared, undeclared, or decompressed', async () => {
    const path = await fleet.activateEcho();
    const text = JSON.stringify('x'.repeat(30_000));
    const headers = { 'content-type': 'application/json' };
    const chunked = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 3; i++) controller.enqueue(Buffer.from(text.slice(i * 10_001, (i + 1) * 10_001)));
        controller.close();
      },
    });
    const streamed = await fleet.call(path, { method: 'POST', body: chunked, duplex: 'half', headers } as RequestInit);
    expect([streamed.status, await codeOf(streamed)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const packed = { ...headers, 'content-encoding': 'gzip' };
    expect((await fleet.call(path, { method: 'POST', body: gzipSync(text), headers: packed })).status).toBe(413);
    const small = await fleet.call(path, { method: 'POST', body: gzipSync('{"a":1}'), headers: packed });
    expect(((await small.json()) as JsonObject)['body']).toEqual({ a: 1 });
  });
});

test('a few bytes that decompress to millions of values are rejected before parsing, also by the API', async () => {
  const path = await fleet.activateEcho();
  const replica = await fleet.startReplica({ BODY_LIMIT_BYTES: '16777216' });
  const key = { 'x-service-api-key': ownerKey };
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', ...key };
  const body = gzipSync(`[${'[],'.repeat(5_000_000)}1]`);
  for (const address of [`webhook/${path}`, 'api/v1/workflows']) {
    const response = await fetch(`http://127.0.0.1:${replica.port}/${address}`, { method: 'POST', body, headers });
    expect([address, response.status, await response.json()]).toEqual([
      address,
      413,
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('2000000 parts') }),
    ]);
  }
  await replica.stop();
});

describe('a body over the limit is rejected before it ends', () => {
  const form = { 'content-type': 'multipart/form-data; boundary=b' };
  const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
  const file = '--b\r\ncontent-disposition: form-data; name="a"; filename="a.bin"\r\n\r\n';
  test.each<[string, Record<string, string>, string]>([
    ['JSON with a Content-Length', { 'content-type': 'application/json', 'content-length': '999999999' }, '{'],
    ['JSON', { 'content-type': 'application/json' }, '"'],
    ['compressed JSON', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, '"'],
    ['text', { 'content-type': 'text/plain' }, ''],
    ['fields', { 'content-type': 'application/x-www-form-urlencoded' }, 'a='],
    ['the preamble of a form', form, ''],
    ['a field of a form', form, field],
    ['a file of a form', form, file],
    ['a file', { 'content-type': 'image/png' }, ''],
  ])('%s', async (_, headers, start) => {
    const path = await fleet.activateEcho();
    expect(await statusOfEndless(`${fleet.api.url}/webhook/${path}`, headers, start)).toBe(413);
  });
});

describe('no part of a form is dropped silently', () => {
  const fields = { 'content-type': 'application/x-www-form-urlencoded' };
  const manyFields = Array.from({ length: 1_001 }, (_, index) => `f${index}=`).join('&');
  const manyValues = 'f=&'.repeat(1_001);

  test.each([
    ['fields', manyFields],
    ['values', manyValues],
  ])('too many %s are rejected', async (_, body) => {
    const path = await fleet.activateEcho();
    expect((await fleet.call(path, { method: 'POST', body, headers: fields })).status).toBe(413);
  });

  test('a query can have more of them', async () => {
    const path = await fleet.activateEcho();
    const response = await fleet.post(`${path}?${'a=1&'.repeat(1_500)}b=2`, {});
    const { query } = (await response.json()) as { query: { a: string[]; b: string } };
    expect([query.a.length, query.b]).toEqual([1_500, '2']);
  });
});

describe('files of a request', () => {
  const binaryOf = `return $input.all().map(({ json, binary }) => ({ json: { body: json.body, binary } }))`;

  async function aFileEcho(options: JsonObject = {}, typeVersion = 2): Promise<string> {
    const path = aPath();
    const parameters = { path, httpMethod: 'POST', responseMode: 'lastNode', options };
    await fleet.activate(parameters, [aCode('Code', binaryOf)], { typeVersion });
    return path;
  }

  test('of a form are stored, and its other fields become the body', async () => {
    const form = new FormData();
    form.append('note', 'hello');
    form.append('note', 'again');
    form.append('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
    const response = await fleet.call(await aFileEcho(), { method: 'POST', body: form });
    const { body, binary } = (await response.json()) as { body: JsonObject; binary: Record<string, JsonObject> };
    expect(body).toEqual({ note: ['hello', 'again'] });
    expect(binary).toEqual({
      file: { id: expect.any(String), fileName: 'a.txt', mimeType: 'text/plain', fileExtension: 'txt', fileSize: 3 },
    });
    const stored = await fetch(`${fleet.api.url}/api/v1/binary-data/${binary['file']?.['id']}`, {
      headers: { 'x-service-api-key': 'an-owner-key-of-any-format' },
    });
    expect(await stored.text()).toBe('abc');
  });

  test.each<[JsonObject, string[]]>([
    [{}, ['file0', 'file1', 'other']],
    [{ binaryPropertyName: 'up' }, ['up0', 'up1', 'up2']],
  ])('of a form with %j are named %j', async (options, names) => {
    const form = new FormData();
    for (const field of ['file', 'file', 'other']) form.append(field, new Blob(['x']), 'x.bin');
    const response = await fleet.call(await aFileEcho(options), { method: 'POST', body: form });
    expect(Object.keys(((await response.json()) as { binary: JsonObject }).binary)).toEqual(names);
  });

  test('of a form are all kept, whatever their field names', async () => {
    const form = new FormData();
    for (const field of ['up', 'up', 'up0']) form.append(field, new Blob(['x']), 'x.bin');
    const response = await fleet.call(await aFileEcho(), { method: 'POST', body: form });
    expect(Object.keys(((await response.json()) as { binary: JsonObject }).binary).toSorted()).toEqual(['up0', 'up1', 'up2']);
  });

  test('can be the whole body', async () => {
    const path = await aFileEcho();
    const response = await fleet.call(path, {
      method: 'POST',
      body: new Uint8Array(1_000),
      headers: { 'content-type': 'image/png' },
    });
    expect(await response.json()).toMatchObject({ body: {}, binary: { data: { mimeType: 'image/png', fileSize: 1_000 } } });
  });

  test('can be the raw body, in addition to its parsed form', async () => {
    const response = await fleet.post(await aFileEcho({ rawBody: true }), { a: 1 });
    expect(await response.json()).toMatchObject({
      body: { a: 1 },
      binary: { data: { mimeType: 'application/json', fileSize: 7 } },
    });
  });

  test('above the limit are rejected, and nothing is started or stored', async () => {
    const path = await aFileEcho();
    const before = await counts();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(60_000)]), 'big.bin');
    expect((await fleet.call(path, { method: 'POST', body: form })).status).toBe(413);
    const body = new Uint8Array(60_000);
    expect((await fleet.call(path, { method: 'POST', body, headers: { 'content-type': 'image/png' } })).status).toBe(413);
    expect(await counts()).toEqual(before);
  });

  test('are rejected by version 1 unless it is configured to accept them', async () => {
    const headers = { 'content-type': 'image/png' };
    const refused = await fleet.call(await aFileEcho({}, 1), { method: 'POST', body: 'x', headers });
    expect(refused.status).toBe(415);
    const response = await fleet.call(await aFileEcho({ binaryData: true }, 1), { method: 'POST', body: 'x', headers });
    expect(await response.json()).toMatchObject({ binary: { data: { fileSize: 1 } } });
  });

  async function counts(): Promise<unknown> {
    const { kysely } = fleet.api.db;
    const count = (table: 'executions' | 'binary_data') =>
      kysely
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow();
    return [await count('executions'), await count('binary_data')];
  }
});
