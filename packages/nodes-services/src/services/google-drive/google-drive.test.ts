import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Item, JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-drive.example.ts';
import { googleDrive } from './google-drive.ts';
import { type DriveServer, googleDriveServer, md5 } from './testing/google-drive-server.ts';

let server: DriveServer;
beforeAll(async () => {
  server = await googleDriveServer();
});
afterEach(() => {
  server.verify();
  server.uploads.clear();
  server.part = () => undefined;
});
afterAll(() => server.close());

const credentials = {
  googleDriveOAuth2Api: { oauthTokenData: { access_token: 'ya29' } },
  googleApi: { oauthTokenData: { access_token: 'ya29', expires_in: 3600 } },
};
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  typeVersion: 3,
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(googleDrive, runOf(parameters, more));
const sent = () =>
  server.received.map(
    ({ method, url }) => `${method} ${decodeURIComponent(url).replaceAll('+', ' ').replace('/drive/v3', '')}`,
  );
const bodyOf = (index = 0) => JSON.parse(server.received[index]?.body.toString() || 'null') as unknown;
const queryOf = (index = 0) => new URL(server.received[index]?.url ?? '', server.origin).searchParams;
const located = (value: string, mode = 'id') => ({ __rl: true, mode, value });

test('the example: all pages of a search', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  const q =
    "name contains 'report' and 'folder1' in parents and mimeType != 'application/vnd.google-apps.folder' and (mimeType = 'application/pdf') and trashed = false";
  expect([queryOf().get('q'), queryOf().get('corpora'), queryOf(1).get('pageToken')]).toEqual([q, 'allDrives', 'next']);
});

describe('a search', () => {
  test.each<[JsonObject, string, JsonObject]>([
    [{ queryString: "it's \\" }, "name contains 'it\\'s \\\\' and trashed = false", { corpora: 'allDrives' }],
    [
      { searchMethod: 'query', queryString: 'starred = true or x', filter: { includeTrashed: true } },
      '(starred = true or x)',
      {},
    ],
    [
      { filter: { driveId: located('My Drive', 'list'), folderId: located('root', 'list') } },
      "'root' in parents and trashed = false",
      { corpora: 'user', driveId: null },
    ],
    [{ filter: { driveId: located('sharedWithMe', 'list') } }, 'sharedWithMe = true and trashed = false', { corpora: 'user' }],
    [
      { filter: { driveId: located('drive1', 'list'), folderId: located('root', 'list'), whatToSearch: 'folders' } },
      "'drive1' in parents and mimeType = 'application/vnd.google-apps.folder' and trashed = false",
      { corpora: 'drive', driveId: 'drive1', includeItemsFromAllDrives: 'true' },
    ],
    [{ filter: { fileTypes: ['*'] }, options: { fields: '*' } }, 'trashed = false', { fields: '*' }],
  ])('%j is one query', async (parameters, q, query) => {
    const output = await run({ resource: 'fileFolder', operation: 'search', limit: 1, ...parameters });
    expect(output).toEqual([{ id: 'f1', name: 'report 1.pdf' }]);
    expect(queryOf().get('q')).toBe(q);
    for (const [name, value] of Object.entries(query)) expect(queryOf().get(name)).toBe(value);
  });

  test('in version 1 has filters, and a service account', async () => {
    const queryFilters: JsonObject = {
      name: [{ operation: 'is', value: 'a' }, { operation: 'isNot', value: 'b' }, { value: 'c' }],
      mimeType: [{ mimeType: 'image/png' }, { mimeType: 'custom', customMimeType: 'text/x' }],
    };
    const parameters = {
      operation: 'list',
      limit: 5,
      queryFilters,
      options: { driveId: 'drive1', fields: ['id'], spaces: ['drive'] },
    };
    const { googleDriveOAuth2Api: _, ...account } = credentials;
    expect(await run(parameters, { typeVersion: 1, credentials: account })).toHaveLength(2);
    expect(queryOf().get('q')).toBe(
      "(name = 'a' or name != 'b' or name contains 'c') and (mimeType = 'image/png' or mimeType = 'text/x')",
    );
    expect([queryOf().get('corpora'), queryOf().get('fields')]).toEqual(['drive', 'nextPageToken,files(id)']);
    await run({ operation: 'list', useQueryString: true, queryString: 'x' }, { typeVersion: 2 });
    expect(queryOf(2).get('q')).toBe('x');
  });
});

describe('a download', () => {
  const download = async (parameters: JsonObject, more: FakeRun = {}) => {
    const binary = memoryBinary();
    const items = [[{ json: { a: 1 }, binary: { old: await binary.store(Buffer.from('o'), {}) } }]];
    const [firstItem] = await runNode(
      googleDrive,
      runOf({ operation: 'download', ...parameters }, { inputs: items, binary, ...more }),
    );
    const [item] = firstItem as Item[];
    const contents = Object.entries(item?.binary ?? {}).map(async ([name, file]) => [
      name,
      Buffer.from(await binary.read(file)).toString(),
    ]);
    return { json: item?.json, files: item?.binary, contents: Object.fromEntries(await Promise.all(contents)) };
  };

  test('keeps the JSON and the files of the item', async () => {
    const { json, files, contents } = await download({ fileId: located('f1') });
    expect([json, contents]).toEqual([{ a: 1 }, { old: 'o', data: 'content of f1' }]);
    expect(files?.['data']).toMatchObject({ fileName: 'report 1.pdf', mimeType: 'application/pdf' });
  });

  test.each<[JsonObject, string, string]>([
    [{}, 'Plan.docx', 'as application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    [{ googleFileConversion: { conversion: { docsToFormat: 'text/plain' } } }, 'Plan.txt', 'as text/plain'],
    [{ fileName: 'x', googleFileConversion: { conversion: { docsToFormat: 'application/pdf' } } }, 'x', 'as application/pdf'],
  ])('of a document is an export: %j', async (options, name, content) => {
    const fileId = located('https://docs.google.com/document/d/doc1/edit', 'url');
    const { files, contents } = await download({ fileId, options: { binaryPropertyName: 'file', ...options } });
    expect([files?.['file']?.fileName, contents['file']]).toEqual([name, content]);
  });

  test('of a shortcut downloads its target', async () => {
    expect((await download({ fileId: located('short1') })).contents['data']).toBe('content of f1');
  });

  test('of a form is rejected', async () => {
    const message = 'files of the type application/vnd.google-apps.form have no content';
    await expect(download({ fileId: 'form1' })).rejects.toMatchObject({ message, itemIndex: 0 });
  });

  test('in version 2 has its own property', async () => {
    const { contents } = await download({ fileId: 'f1', binaryPropertyName: 'b' }, { typeVersion: 2 });
    expect(contents['b']).toBe('content of f1');
  });
});

describe('an upload', () => {
  const mebibyte = 1024 * 1024;
  const upload = async (size: number, parameters: JsonObject = {}, more: FakeRun = {}) => {
    const binary = memoryBinary();
    const bytes = Buffer.alloc(size, 'abc');
    const data = await binary.store(bytes, { fileName: 'a.csv', mimeType: 'text/csv' });
    const inputs = [[{ json: {}, binary: { data } }]];
    const output = await run({ operation: 'upload', ...parameters }, { inputs, binary, ...more });
    return { output, bytes };
  };
  const ranges = () => server.received.map(({ headers }) => String(headers['content-range'] ?? '')).filter((one) => one !== '');

  test('has metadata, and one part if it is small', async () => {
    const options = {
      propertiesUi: { propertyValues: [{ key: 'a', value: '1' }] },
      appPropertiesUi: { appPropertyValues: [{ key: 'b', value: '2' }] },
      ocrLanguage: 'en',
      keepRevisionForever: true,
      simplifyOutput: false,
    };
    const { output, bytes } = await upload(3, { name: 'n', folderId: located('folder1'), options });
    const json = { id: 'f9', name: 'n', parents: ['folder1'], properties: { a: '1' }, appProperties: { b: '2' } };
    expect(output).toEqual([{ ...json, md5: md5(bytes) }]);
    expect(sent()[0]).toBe(
      'POST /upload/files?fields=*&ocrLanguage=en&keepRevisionForever=true&supportsAllDrives=true&uploadType=resumable',
    );
    expect(server.received[0]?.headers).toMatchObject({ 'x-upload-content-type': 'text/csv', 'x-upload-content-length': '3' });
    expect(ranges()).toEqual(['bytes 0-2/3']);
  });

  test('of no bytes creates a file, whose main fields are returned', async () => {
    expect((await upload(0)).output).toMatchObject([{ name: 'a.csv', parents: ['root'], md5: md5(Buffer.alloc(0)) }]);
    expect(queryOf().get('fields')).toBe('kind,id,name,mimeType,webViewLink');
  });

  test('has parts of 8 MiB', async () => {
    const { output, bytes } = await upload(16 * mebibyte + 1, { driveId: located('drive1') });
    expect(output).toMatchObject([{ parents: ['drive1'], md5: md5(bytes) }]);
    expect(ranges()).toEqual(['bytes 0-8388607/*', 'bytes 8388608-16777215/*', 'bytes 16777216-16777216/16777217']);
    const exact = await upload(16 * mebibyte);
    expect(exact.output).toMatchObject([{ md5: md5(exact.bytes) }]);
    expect(ranges().at(-1)).toBe('bytes 8388608-16777215/16777216');
  });

  test('sends a lost part again from the first missing byte', async () => {
    server.part = ({ count, bytes, upload }) => {
      if (count !== 2) return undefined;
      upload.bytes = Buffer.concat([upload.bytes, bytes.subarray(0, mebibyte)]);
      return 503;
    };
    const { output, bytes } = await upload(12 * mebibyte);
    expect(output).toMatchObject([{ md5: md5(bytes) }]);
    expect(ranges()).toEqual([
      'bytes 0-8388607/*',
      'bytes 8388608-12582911/12582912',
      'bytes */*',
      'bytes 9437184-12582911/12582912',
    ]);
  });

  test('whose last response was lost is complete', async () => {
    server.part = ({ bytes, upload }) => {
      upload.bytes = bytes;
      return 500;
    };
    server.on('PUT /upload/drive/v3/sessions/:id', ({ headers, count }) =>
      count === 1 ? { status: 502 } : { json: { id: 'f9', range: headers['content-range'] } },
    );
    expect((await upload(3)).output).toEqual([{ id: 'f9', range: 'bytes */*' }]);
  });

  test('that is rejected reports the reason from Google', async () => {
    server.on('PUT /upload/drive/v3/sessions/:id', () => ({
      status: 403,
      json: { error: { message: 'The storage quota has been exceeded.', errors: [{ reason: 'storageQuotaExceeded' }] } },
    }));
    await expect(upload(3)).rejects.toThrow('Google Drive: The storage quota has been exceeded. (storageQuotaExceeded)');
  });

  test('fails if the response contains no upload URL', async () => {
    server.on('POST /upload/drive/v3/files', () => ({ json: {} }));
    await expect(upload(3)).rejects.toThrow('Google returned no upload URL');
  });

  test('in version 2 may be text', async () => {
    const parameters = { operation: 'upload', fileContent: 'ä', name: 'x', parents: ['p1'], options: { fields: ['id'] } };
    expect(await run(parameters, { typeVersion: 2 })).toMatchObject([
      { name: 'x', parents: ['p1'], md5: md5(Buffer.from('ä')) },
    ]);
    expect(queryOf().get('fields')).toBe('id');
    const { output } = await upload(1, { binaryData: true, binaryPropertyName: 'data' }, { typeVersion: 1 });
    expect(output).toMatchObject([{ name: 'a.csv' }]);
    expect(bodyOf(2)).toEqual({ name: 'a.csv' });
  });

  test('replaces the content of a file', async () => {
    const { output } = await upload(3, { operation: 'update', fileId: 'f1', changeFileContent: true, newUpdatedFileName: 'n' });
    expect(output).toMatchObject([{ id: 'f1', name: 'n' }]);
    expect(sent()[0]).toBe('PATCH /upload/files/f1?fields=*&supportsAllDrives=true&uploadType=resumable');
  });

  test.each<[JsonObject, string]>([
    [{}, 'text/plain'],
    [{ options: { convertToGoogleDocument: true } }, 'application/vnd.google-apps.document'],
  ])('of text: %j', async (parameters, mimeType) => {
    const text = { operation: 'createFromText', content: 'Hello', name: 'n', folderId: located('folder1') };
    expect(await run({ ...text, ...parameters })).toMatchObject([{ name: 'n', mimeType, md5: md5(Buffer.from('Hello')) }]);
  });
});

const anyone = { permissionsUi: { permissionsValues: { role: 'reader', type: 'anyone', allowFileDiscovery: true } } };
const writer = { permissionsUi: { permissionsValues: { role: 'writer', type: 'user', emailAddress: 'a@x', domain: 'x' } } };
const all = 'supportsAllDrives=true';
const folderType = 'application/vnd.google-apps.folder';

test.each<[JsonObject, string, unknown, number?]>([
  [{ operation: 'copy' }, `POST /files/f1/copy?fields=*&${all}`, {}],
  [
    { operation: 'copy', name: 'n', sameFolder: false, folderId: located('folder2'), options: { description: 'd' } },
    `POST /files/f1/copy?fields=*&${all}`,
    { name: 'n', parents: ['folder2'], description: 'd' },
  ],
  [
    { operation: 'copy', options: { name: 'n', parents: ['p'], fields: ['id'] } },
    `POST /files/f1/copy?fields=id&${all}`,
    { name: 'n', parents: ['p'] },
    2,
  ],
  [{ operation: 'deleteFile' }, `PATCH /files/f1?fields=id&${all}`, { trashed: true }],
  [{ operation: 'deleteFile', options: { deletePermanently: true } }, `DELETE /files/f1?${all}`, null],
  [{ operation: 'delete' }, `DELETE /files/f1?${all}`, null, 1],
  [
    { operation: 'share', ...anyone, options: { emailMessage: 'm', sendNotificationEmail: false } },
    `POST /files/f1/permissions?fields=*&emailMessage=m&sendNotificationEmail=false&${all}`,
    { role: 'reader', type: 'anyone', allowFileDiscovery: true },
  ],
  [
    { operation: 'share', ...writer },
    `POST /files/f1/permissions?fields=*&${all}`,
    { role: 'writer', type: 'user', emailAddress: 'a@x' },
  ],
  [
    { operation: 'update', newUpdatedFileName: 'n', options: { trashed: false, fields: ['id', 'name'] } },
    `PATCH /files/f1?fields=id,name&${all}`,
    { name: 'n', trashed: false },
  ],
  [
    { operation: 'update', updateFields: { fileName: 'n', parentId: 'p' } },
    `PATCH /files/f1?fields=*&${all}&addParents=p`,
    { name: 'n' },
    2,
  ],
  [
    { resource: 'folder', operation: 'create', name: 'n', driveId: located('drive1'), options: { folderColorRgb: '#ff0000' } },
    `POST /files?fields=kind,id,name,mimeType,webViewLink&${all}`,
    { name: 'n', mimeType: folderType, parents: ['drive1'], folderColorRgb: '#ff0000' },
  ],
  [
    { resource: 'folder', operation: 'create', name: 'n', options: { simplifyOutput: false } },
    `POST /files?fields=*&${all}`,
    { name: 'n', mimeType: folderType, parents: ['root'] },
  ],
  [
    { resource: 'folder', operation: 'create', name: 'n', parents: 'a, b' },
    `POST /files?fields=*&${all}`,
    { name: 'n', mimeType: folderType, parents: ['a', 'b'] },
    2,
  ],
  [{ resource: 'folder', operation: 'deleteFolder' }, `PATCH /files/folder1?fields=id&${all}`, { trashed: true }],
  [{ resource: 'folder', operation: 'delete' }, `DELETE /files/f1?${all}`, null, 2],
  [
    { resource: 'folder', operation: 'share', ...writer },
    `POST /files/folder1/permissions?fields=*&${all}`,
    { role: 'writer', type: 'user', emailAddress: 'a@x' },
  ],
  [
    { resource: 'drive', operation: 'get', options: { useDomainAdminAccess: true } },
    'GET /drives/drive1?useDomainAdminAccess=true',
    null,
  ],
  [{ resource: 'drive', operation: 'list', options: { q: 'x' } }, 'GET /drives?q=x&pageSize=100', null],
  [{ resource: 'drive', operation: 'update', options: { name: 'n' } }, 'PATCH /drives/drive1', { name: 'n' }],
  [{ resource: 'drive', operation: 'deleteDrive' }, 'DELETE /drives/drive1', null],
  [{ resource: 'drive', operation: 'delete' }, 'DELETE /drives/drive1', null, 2],
])('is one request: %j', async (parameters, request, body, typeVersion = 3) => {
  const ids = { fileId: located('f1'), folderNoRootId: located('folder1') };
  const drive: JsonObject = parameters['resource'] === 'drive' ? { driveId: located('drive1') } : {};
  await run({ ...ids, ...drive, ...parameters }, { typeVersion });
  expect(sent()).toEqual([request]);
  expect(bodyOf()).toEqual(body);
});

test('a shared drive is created once, with a request ID', async () => {
  const options = { hidden: true, restrictions: { driveMembersOnly: true }, capabilities: { canEdit: true } };
  expect(await run({ resource: 'drive', operation: 'create', name: 'n', options })).toEqual([
    { id: 'drive2', name: 'n', hidden: true, restrictions: { driveMembersOnly: true } },
  ]);
});

test('a file is moved out of its previous folders', async () => {
  await run({ operation: 'move', fileId: located('f1'), folderId: located('folder2', 'list') });
  expect(sent()).toEqual([
    `GET /files/f1?fields=parents&${all}`,
    `PATCH /files/f1?fields=*&addParents=folder2&removeParents=old1,old2&${all}`,
  ]);
});

test.each<[JsonObject, string]>([
  [
    { operation: 'deleteFile', fileId: located('https://example.com/', 'url') },
    'the parameter "fileId" is not a URL of this kind',
  ],
  [{ operation: 'share', fileId: 'f1' }, 'the parameter "permissionsUi" is required'],
  [
    { operation: 'createFromText', driveId: located('sharedWithMe', 'list') },
    '"Shared with me" is a view without a root folder',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a failed item does not affect the others', async () => {
  const parameters = (index: number) => ({ operation: 'download', fileId: index === 0 ? 'missing' : 'f1' });
  const output = await runForJson(googleDrive, {
    ...runOf({}),
    parameters,
    json: [{}, { b: 1 }],
    continueOnFail: true,
  });
  expect(output).toEqual([{ error: 'Google Drive: File not found: x. (notFound)' }, { b: 1 }]);
});

test('a request over the quota is retried', async () => {
  server.on('GET /drive/v3/drives/:id', ({ count }) =>
    count === 1
      ? {
          status: 403,
          headers: { 'retry-after': '0' },
          json: { error: { errors: [{ reason: 'userRateLimitExceeded' }], message: 'Quota' } },
        }
      : { json: { id: 'drive1' } },
  );
  expect(await run({ resource: 'drive', operation: 'get', driveId: 'drive1' })).toEqual([{ id: 'drive1' }]);
});

test('files, folders, and drives can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  const { fileSearch, folderSearch, driveSearch } = googleDrive.methods?.listSearch ?? {};
  expect(await fileSearch?.(context, "a'")).toEqual({
    results: [{ name: 'report 1.pdf', value: 'f1' }],
    paginationToken: 'next',
  });
  expect(queryOf().get('q')).toBe(`mimeType != '${folderType}' and trashed = false and name contains 'a\\''`);
  expect(await folderSearch?.(context, '', 'next')).toEqual({ results: [{ name: 'report 2.pdf', value: 'f2' }] });
  expect(await driveSearch?.(context)).toEqual({ results: [{ name: 'Team', value: 'drive1' }] });
});
