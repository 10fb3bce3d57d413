import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { Item, JsonObject } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { type HttpTestServer, httpServer, type Received } from '../../testing/http-server.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { httpRequest } from './http-request.ts';

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
let server: HttpTestServer;
let headers: Record<string, string> = {};
let reply: Buffer | string = '{"ok":true}';

beforeAll(async () => {
  server = await httpServer((_, response) => {
    response.writeHead(200, headers).end(reply);
  });
});
afterEach(() => {
  server.received.length = 0;
  headers = { 'content-type': 'application/json' };
  reply = '{"ok":true}';
});
afterAll(async () => {
  await http.close();
  await server.close();
});

/** Runs the node for an item with two files. */
async function send(parameters: JsonObject, typeVersion?: number): Promise<{ items: Item[]; received: Received | undefined }> {
  const binary = memoryBinary();
  const data = await binary.store(png, { fileName: 'a "b".png', mimeType: 'image/png' });
  const large = await binary.store(Buffer.alloc(300_000, 'x'), { fileName: 'large.txt', mimeType: 'text/plain' });
  const [items] = await runNode(httpRequest, {
    http,
    binary,
    parameters: { url: `${server.origin}/up`, method: 'POST', requestMethod: 'POST', ...parameters },
    inputs: [[{ json: { id: 1 }, binary: { data, large } }]],
    ...(typeVersion !== undefined && { typeVersion }),
  });
  return { items: items ?? [], received: server.received[0] };
}

const boundaryOf = (received?: Received) => /boundary=(.*)$/.exec(received?.headers['content-type'] ?? '')?.[1];
const partsOf = (received?: Received) =>
  (received?.body.toString('latin1') ?? '')
    .split(`--${boundaryOf(received)}`)
    .slice(1, -1)
    .map((part) => part.slice(2, -2));

describe('a file as the body', () => {
  test('is streamed with its type and length', async () => {
    const { received, items } = await send({ sendBody: true, contentType: 'binaryData', inputDataFieldName: 'data' });
    expect(received?.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '6' });
    expect(received?.body.equals(png)).toBe(true);
    expect(items).toEqual([{ json: { ok: true }, pairedItem: { item: 0 } }]);
  });

  test.each([1, 2])('in version %d: is sent raw, with its own type', async (typeVersion) => {
    const raw = { jsonParameters: true, sendBinaryData: true, binaryPropertyName: 'data' };
    const options = { bodyContentType: 'raw', bodyContentCustomMimeType: 'image/x' };
    const { received } = await send({ ...raw, options }, typeVersion);
    expect(received?.headers['content-type']).toBe('image/x');
    expect(received?.body.equals(png)).toBe(true);
    await expect(send(raw, typeVersion)).rejects.toThrow('one at a time as a raw body');
  });
});

describe('a multipart form', () => {
  test('contains fields and files; no value breaks out of a part’s header', async () => {
    const parameters: JsonObject[] = [
      { parameterType: 'formData', name: 'a"\r\nX-Evil: 1', value: 'text' },
      { parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
      { parameterType: 'formBinaryData', name: 'large', inputDataFieldName: 'large' },
    ];
    const { received } = await send({ sendBody: true, contentType: 'multipart-form-data', bodyParameters: { parameters } });
    const [field, file, large] = partsOf(received);
    expect(field).toBe('Content-Disposition: form-data; name="a%22%0D%0AX-Evil: 1"\r\n\r\ntext');
    expect(file).toBe(
      `Content-Disposition: form-data; name="file"; filename="a %22b%22.png"\r\nContent-Type: image/png\r\n\r\n${png.toString('latin1')}`,
    );
    expect(large).toMatch(/\r\n\r\nx{300000}$/);
    expect(received?.headers['content-length']).toBe(String(received?.body.length));
  });

  test.each([1, 2])('in version %d: contains fields, or files by name', async (typeVersion) => {
    const options = { bodyContentType: 'multipart-form-data' };
    const bodyParametersUi = { parameter: [{ name: 'a', value: 'b' }] };
    const { received } = await send({ options, bodyParametersUi }, typeVersion);
    expect(partsOf(received)).toEqual(['Content-Disposition: form-data; name="a"\r\n\r\nb']);
    server.received.length = 0;
    const files = { jsonParameters: true, sendBinaryData: true, binaryPropertyName: 'one:data, large' };
    const names = partsOf((await send({ options, ...files }, typeVersion)).received).map((part) =>
      /name="(\w+)"; filename="([^"]*)/.exec(part)?.slice(1),
    );
    expect(names).toEqual([
      ['one', 'a %22b%22.png'],
      ['large', 'large.txt'],
    ]);
  });
});

describe('a file response', () => {
  const reference = (fileName: string) => ({
    id: 'file-2',
    mimeType: 'image/png',
    fileSize: 6,
    fileName,
    fileExtension: 'png',
  });

  test('is added to the requesting item’s files, alongside its JSON', async () => {
    headers = { 'content-type': 'image/png; q=1', 'content-disposition': 'attachment; filename="../../etc/pic.png"' };
    reply = png;
    const { items } = await send({});
    expect(items).toMatchObject([
      { json: { id: 1 }, binary: { large: {}, data: reference('pic.png') }, pairedItem: { item: 0 } },
    ]);
  });

  test.each([
    ["attachment; filename*=UTF-8''gr%C3%BCn.png", 'grün.png'],
    ['attachment; filename="grün.png"', 'grün.png'],
    ['nonsense;;', 'up.png'],
    ['', 'up.png'],
  ])('is named after the response header or the URL: %s', async (disposition, fileName) => {
    headers = { 'content-type': 'image/png', 'content-disposition': Buffer.from(disposition).toString('latin1') };
    reply = png;
    const { items } = await send({ url: `${server.origin}/x/up.png?size=2` });
    expect(items[0]?.binary?.['data']).toEqual(reference(fileName));
  });

  test('has status and headers if the full response is requested, and the chosen name', async () => {
    headers = { 'content-type': 'image/png', 'x-a': 'b' };
    reply = png;
    const response = { fullResponse: true, responseFormat: 'file', outputPropertyName: 'pic' };
    const { items } = await send({ url: `${server.origin}/up.png`, options: { response: { response } } });
    expect(items[0]?.json).toMatchObject({ statusCode: 200, headers: { 'x-a': 'b' } });
    expect(items[0]?.json).not.toHaveProperty('body');
    expect(Object.keys(items[0]?.binary ?? {})).toEqual(['data', 'large', 'pic']);
  });

  test('can be requested for any content type', async () => {
    const { items } = await send({ responseFormat: 'file', dataPropertyName: 'raw' }, 1);
    expect(items[0]?.binary?.['raw']).toMatchObject({ mimeType: 'application/json', fileSize: 11 });
  });

  test('that the store refuses is an error of its item', async () => {
    headers = { 'content-type': 'image/png' };
    reply = png;
    const store = async () => {
      throw Object.assign(new Error('disk full'), { code: 'EIO' });
    };
    const run = runNode(httpRequest, { http, parameters: { url: server.origin }, binary: { ...memoryBinary(), store } });
    await expect(run).rejects.toThrow('disk full');
  });
});
