import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpClient, HttpRequest, JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './dropbox.example.ts';
import { dropbox } from './dropbox.ts';
import { argumentOf, dropboxServer } from './testing/dropbox-server.ts';

let server: ApiServer;
let http: HttpClient;
beforeAll(async () => {
  server = await dropboxServer();
  // File contents have their own host.
  const redirected = ({ url, ...request }: HttpRequest): HttpRequest => {
    const { hostname, pathname } = new URL(url);
    const isContent = /^\/2\/files\/(upload|download)/.test(pathname);
    expect(hostname).toBe(isContent ? 'content.dropboxapi.com' : 'api.dropboxapi.com');
    return { ...request, url: `https://api.dropboxapi.com${pathname}` };
  };
  http = {
    ...server.http,
    request: (request, signal) => server.http.request(redirected(request), signal),
    stream: (request, signal, read) => server.http.stream(redirected(request), signal, read),
  };
});
afterEach(() => server.verify());
afterAll(() => server.close());

const oAuth2 = { clientId: 'c', clientSecret: 's', accessType: 'folder', oauthTokenData: { access_token: 't' } };
const credentials = { dropboxApi: { accessToken: 'token1', accessType: 'folder' }, dropboxOAuth2Api: oAuth2 };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({ parameters, http, credentials, ...more });
const run = (parameters: JsonObject, more?: FakeRun) => runForJson(dropbox, runOf(parameters, more));
const sent = () =>
  server.received.map(({ url, body, headers }): JsonValue[] => {
    const argument = headers['dropbox-api-arg'] === undefined ? [] : [argumentOf(headers) as JsonValue];
    const content = body.toString();
    return [url.replace('/2/files/', ''), ...argument, content.startsWith('{') ? JSON.parse(content) : content];
  });

const simple = {
  type: 'file',
  id: 'id:1',
  name: 'a b.txt',
  pathLower: '/reports/a b.txt',
  pathDisplay: '/Reports/a b.txt',
  lastModifiedClient: '2026-01-01T00:00:00Z',
  lastModifiedServer: '2026-01-02T00:00:00Z',
  rev: '01',
  contentSize: 5,
  isDownloadable: true,
  contentHash: 'h',
};
const metadata = { metadata: expect.objectContaining({ name: 'a b.txt' }) as never };
const folder = { resource: 'folder' };
const search = { resource: 'search', query: 'plan' };

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['upload', { mode: 'overwrite', path: '/reports/a b.txt' }, 'Hello']]);
});

test.each<[JsonObject, JsonValue[], JsonObject]>([
  [{ operation: 'copy', path: '/a', toPath: '/b' }, ['copy_v2', { from_path: '/a', to_path: '/b' }], metadata],
  [{ operation: 'move', path: '/a', toPath: '/b' }, ['move_v2', { from_path: '/a', to_path: '/b' }], metadata],
  [{ operation: 'delete', path: '/a' }, ['delete_v2', { path: '/a' }], metadata],
  [
    { path: '/ä 😀.txt', fileContent: 'x' },
    ['upload', { mode: 'overwrite', path: '/ä 😀.txt' }, 'x'],
    { id: 'id:1', name: 'ä 😀.txt' },
  ],
  [{ ...folder, path: '/a' }, ['create_folder_v2', { path: '/a' }], metadata],
  [{ ...folder, operation: 'copy', path: '/a', toPath: '/b' }, ['copy_v2', { from_path: '/a', to_path: '/b' }], metadata],
  [{ ...folder, operation: 'move', path: '/a', toPath: '/b' }, ['move_v2', { from_path: '/a', to_path: '/b' }], metadata],
  [{ ...folder, operation: 'delete', path: '/a' }, ['delete_v2', { path: '/a' }], metadata],
  [
    { ...folder, operation: 'list', path: '/', filters: { include_deleted: true, include_mounted_folders: false } },
    ['list_folder', { path: '', limit: 50, include_deleted: true, include_mounted_folders: false }],
    simple,
  ],
  [
    { ...folder, operation: 'list', path: '/Reports', returnAll: true },
    ['list_folder', { path: '/Reports', limit: 2000 }],
    simple,
  ],
  [search, ['search_v2', { query: 'plan', options: { max_results: 100, file_status: 'active' } }], simple],
  [
    {
      ...search,
      limit: 5,
      simple: false,
      fileStatus: 'deleted',
      filters: { path: '/Reports', file_categories: ['pdf'], file_extensions: 'pdf, txt' },
    },
    [
      'search_v2',
      {
        query: 'plan',
        options: {
          max_results: 5,
          file_status: 'deleted',
          path: '/Reports',
          file_categories: ['pdf'],
          file_extensions: ['pdf', 'txt'],
        },
      },
    ],
    { metadata: expect.objectContaining({ '.tag': 'metadata' }) as never },
  ],
])('%j sends %j', async (parameters, request, produced) => {
  expect(await run(parameters)).toEqual([produced]);
  expect(sent()).toEqual([request]);
});

async function withFile(content: Buffer, size: number | undefined): Promise<FakeRun> {
  const binary = memoryBinary();
  const { fileSize: _, ...stored } = await binary.store(content, { fileName: 'a.bin' });
  const data = { ...stored, ...(size !== undefined && { fileSize: size }) };
  return runOf({ path: '/a.bin', binaryData: true }, { binary, inputs: [[{ json: {}, binary: { data } }]] });
}

test('a file of the item is uploaded in one request', async () => {
  await runForJson(dropbox, await withFile(Buffer.from('bytes'), 5));
  expect(sent()).toEqual([['upload', { mode: 'overwrite', path: '/a.bin' }, 'bytes']]);
  expect(server.received[0]?.headers['content-length']).toBe('5');
});

const chunk = 8 * 1024 * 1024;

test.each<[number, [string, number][]]>([
  [
    0,
    [
      ['start', 0],
      ['finish', 0],
    ],
  ],
  [
    3,
    [
      ['start', 3],
      ['finish', 0],
    ],
  ],
  [
    chunk * 2 + 1,
    [
      ['start', chunk],
      ['append_v2', chunk],
      ['finish', 1],
    ],
  ],
])('a file of unknown size with %d bytes is uploaded in parts: %j', async (length, parts) => {
  expect(await runForJson(dropbox, await withFile(Buffer.alloc(length, 'a'), undefined))).toEqual([{ id: 'id:1' }]);
  const commit = { mode: 'overwrite', path: '/a.bin' };
  expect(server.received.map(({ url, body }) => [url.split('/').at(-1), body.length])).toEqual(parts);
  expect(argumentOf(server.received.at(-1)?.headers ?? {})).toEqual({
    cursor: { session_id: 's1', offset: length - (parts.at(-1)?.[1] ?? 0) },
    commit,
  });
});

test('a file is downloaded with its name, folder, and type', async () => {
  const binary = memoryBinary();
  const [items] = await runNode(dropbox, runOf({ operation: 'download', path: '/r/ä.txt' }, { binary }));
  const file = items?.[0]?.binary?.['data'];
  expect(file).toMatchObject({ fileName: 'ä.txt', directory: '/r' });
  expect(Buffer.from(await binary.read(file as never)).toString()).toBe('Hello');
  expect(sent()).toEqual([['download', { path: '/r/ä.txt' }, '']]);
});

test('paths start in the root folder of the team if the app may access all of Dropbox; the root is read once', async () => {
  const full = { dropboxApi: { accessToken: 'token1', accessType: 'full' } };
  await run({ operation: 'delete', path: '/a' }, { credentials: full, json: [{}, {}] });
  expect(server.received.map(({ url }) => url)).toEqual([
    '/2/users/get_current_account',
    '/2/files/delete_v2',
    '/2/files/delete_v2',
  ]);
  expect(server.received[1]?.headers['dropbox-api-path-root']).toBe('{".tag":"root","root":"3"}');
});

test('the root is read again after a failure, which affects only its item', async () => {
  server.on('POST /2/users/get_current_account', ({ count }) =>
    count === 1 ? { status: 500, text: 'busy' } : { json: { root_info: { root_namespace_id: '5', home_namespace_id: '5' } } },
  );
  const full = { dropboxApi: { accessToken: 'token1', accessType: 'full' } };
  const output = await run({ operation: 'delete', path: '/a' }, { credentials: full, json: [{}, {}], continueOnFail: true });
  expect(output).toMatchObject([{ error: 'Dropbox: busy (500)' }, { metadata: {} }]);
});

test('an account without a team needs no root', async () => {
  server.on('POST /2/users/get_current_account', () => ({
    json: { root_info: { root_namespace_id: '5', home_namespace_id: '5' } },
  }));
  await run({ operation: 'delete', path: '/a' }, { credentials: { dropboxApi: { accessToken: 'token1' } } });
  expect(server.received[1]?.headers).not.toHaveProperty('dropbox-api-path-root');
});

test('a list is read to its end, or to the limit', async () => {
  const entries = [{ name: 'a' }];
  server.on('POST /2/files/list_folder', () => ({ json: { entries, cursor: 'c1', has_more: true } }));
  server.on('POST /2/files/list_folder/continue', ({ count }) => ({ json: { entries, cursor: 'c2', has_more: count < 2 } }));
  const list = { ...folder, operation: 'list', path: '' };
  expect(await run({ ...list, returnAll: true })).toHaveLength(3);
  expect(sent().slice(1)).toEqual([
    ['list_folder/continue', { cursor: 'c1' }],
    ['list_folder/continue', { cursor: 'c2' }],
  ]);
  expect(await run({ ...list, limit: 1 })).toHaveLength(1);
  expect(server.received).toHaveLength(4);
});

const refusal = { status: 409, json: { error_summary: 'path_lookup/not_found/..', error: { '.tag': 'path_lookup' } } };

test('an error includes text and code, and the node may continue', async () => {
  server.on('POST /2/files/delete_v2', ({ count }) => (count === 1 ? refusal : { json: { metadata: {} } }));
  expect(await run({ operation: 'delete', path: '/a' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Dropbox: path lookup/not found (path_lookup/not_found)' },
    { metadata: {} },
  ]);
});

test('a download error has its hint', async () => {
  server.on('POST /2/files/download', () => refusal);
  await expect(run({ operation: 'download', path: '/a' })).rejects.toMatchObject({
    message: 'Dropbox: path lookup/not found (path_lookup/not_found)',
    description: 'Check the path: there is no such file or folder',
  });
});

test.each([
  [{ 'retry-after': '0' }, {}],
  [{}, { error: { reason: { '.tag': 'too_many_requests' }, retry_after: 0 }, error_summary: 'too_many_requests/' }],
])('a rate limit is waited for: %j %j', async (headers, json) => {
  server.on('POST /2/files/delete_v2', ({ count }) => (count === 1 ? { status: 429, headers, json } : { json: { ok: 1 } }));
  expect(await run({ operation: 'delete', path: '/a' })).toEqual([{ ok: 1 }]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'delete' }, 'the parameter "path" is required'],
  [{ operation: 'move', path: '/a' }, 'the parameter "toPath" is required'],
  [{ path: `/${'a'.repeat(4_000)}`, fileContent: 'x' }, 'the path has more than 4000 characters'],
  [{ resource: 'search', query: '' }, 'the parameter "query" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});
