import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './next-cloud.example.ts';
import { nextCloud } from './next-cloud.ts';
import { nextCloudServer } from './testing/next-cloud-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await nextCloudServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const webDavUrl = 'https://cloud.example.com/remote.php/webdav/';
const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { nextCloudApi: { webDavUrl, user: 'ada', password: 'p' } },
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(nextCloud, context(parameters, more));
const sent = () => server.received.map(({ method, url }) => `${method} ${url.replace('/remote.php/webdav', '')}`);

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['PROPFIND /Invoices%202026']);
});

test.each(['', '/'])('the path %j is the root', async (path) => {
  const output = await run({ resource: 'folder', operation: 'list', path });
  expect(output.map((entry) => entry['path'])).toEqual(['/one.pdf', '/Paid']);
});

test('a download keeps the data of its item; slashes at the start of a path do not matter', async () => {
  const parameters = { operation: 'download', path: '//Invoices 2026/one.pdf' };
  const [items] = await runNode(nextCloud, context(parameters, { json: [{ path: 'x' }] }));
  expect(items?.[0]?.json).toEqual({ path: 'x' });
  expect(items?.[0]?.binary?.['data']).toMatchObject({ fileName: 'one.pdf', mimeType: 'application/pdf' });
  expect(sent()).toEqual(['GET /Invoices%202026/one.pdf']);
});

test('text and files are uploaded', async () => {
  expect(await run({ path: 'ä.txt', fileContent: 'Grüße' })).toEqual([{ success: true }]);
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('Hello'), { fileName: 'a.bin' });
  await run({ path: '/a.bin', binaryDataUpload: true }, { binary, inputs: [[{ json: {}, binary: { data } }]] });
  expect(sent()).toEqual(['PUT /%C3%A4.txt', 'PUT /a.bin']);
  expect(server.received.map(({ body }) => body.toString())).toEqual(['Grüße', 'Hello']);
});

test.each<[JsonObject, string]>([
  [{ operation: 'delete', path: 'a' }, 'DELETE /a'],
  [{ resource: 'folder', operation: 'delete', path: '/a/' }, 'DELETE /a'],
  [{ resource: 'folder', path: 'a' }, 'MKCOL /a'],
])('%j', async (parameters, request) => {
  expect(await run(parameters)).toEqual([{ success: true }]);
  expect(sent()).toEqual([request]);
});

test.each(['copy', 'move'])('the operation "%s" names the new path in a header', async (operation) => {
  expect(await run({ operation, path: '/a', toPath: 'b/c d' })).toEqual([{ success: true }]);
  expect(server.received[0]?.headers['destination']).toBe(`${webDavUrl}b/c%20d`);
});

test.each<[JsonObject, RegExp]>([
  [{ operation: 'delete', path: '/' }, /"path" is required/],
  [{ operation: 'move', path: 'a' }, /"toPath" is required/],
  [{ operation: 'download', path: '../../etc' }, /leads out of the folder/],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toThrow(message);
  expect(server.received).toEqual([]);
});

test('an error includes the text from Nextcloud; a failed item does not affect the others', async () => {
  server.on('DELETE /remote.php/webdav/:file', ({ count }) =>
    count === 1
      ? { status: 404, text: '<d:error xmlns:s="s"><s:message>File with name //a could not be located</s:message></d:error>' }
      : { status: 204 },
  );
  expect(await run({ operation: 'delete', path: 'a' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Nextcloud: File with name //a could not be located (404)' },
    { success: true },
  ]);
});
