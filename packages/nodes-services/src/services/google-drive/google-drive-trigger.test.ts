import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { example } from './google-drive-trigger.example.ts';
import { googleDriveTrigger } from './google-drive-trigger.ts';
import { type DriveServer, googleDriveServer } from './testing/google-drive-server.ts';

interface StoredFile extends JsonObject {
  id: string;
  mimeType: string;
  parents: string[];
  trashed: boolean;
  modifiedTime: string;
}

/** The drive: existing files, and their changes in order; a change has its file's current state. */
let files = new Map<string, StoredFile>();
let log: string[] = [];
let pageSize = 100;
let server: DriveServer;
beforeAll(async () => {
  server = await googleDriveServer();
});
beforeEach(() => {
  files = new Map();
  log = [];
  pageSize = 100;
  save('f1');
  server.on('GET /drive/v3/files', () => ({
    json: { files: [...files.values()].filter(({ parents }) => parents[0] === 'folder1') },
  }));
  server.on('GET /drive/v3/files/:id', ({ params }) => {
    const id = params['id'] ?? '';
    if (id === 'folder1' || id === 'root') return { json: { id: 'folder1', modifiedTime: '2026-01-01T00:00:00.000Z' } };
    const file = files.get(id);
    return file ? { json: file } : { status: 404, json: { error: { message: 'gone' } } };
  });
  server.on('GET /drive/v3/changes/startPageToken', () => ({ json: { startPageToken: String(log.length) } }));
  server.on('GET /drive/v3/changes', ({ query }) => {
    const start = Number(query['pageToken']);
    const end = Math.min(start + pageSize, log.length);
    const changes = log.slice(start, end).flatMap((fileId, index) => {
      if (log.lastIndexOf(fileId) !== start + index) return [];
      const file = files.get(fileId);
      return [file ? { fileId, removed: false, file } : { fileId, removed: true }];
    });
    return { json: { changes, ...(end < log.length ? { nextPageToken: String(end) } : { newStartPageToken: String(end) }) } };
  });
});
afterEach(() => server.verify());
afterAll(() => server.close());

function save(id: string, more: Partial<StoredFile> = {}): void {
  const created = { id, name: `${id}.pdf`, mimeType: 'application/pdf', parents: ['folder1'], trashed: false };
  files.set(id, { modifiedTime: '2026-01-02T00:00:00.000Z', ...created, ...files.get(id), ...more } as StoredFile);
  log.push(id);
}

function remove(id: string): void {
  files.delete(id);
  log.push(id);
}

const credentials = { googleDriveOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
async function poll(cursor?: JsonObject, more: JsonObject = {}, mode: 'manual' | 'trigger' = 'trigger') {
  const { items, cursor: next = {} } = await pollOnce(googleDriveTrigger, {
    parameters: { ...example.parameters, ...more },
    http: server.http,
    credentials,
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  });
  return { ids: items.map(({ json }) => json['id']), items: items.map(({ json }) => json), cursor: next };
}

const later = '2026-01-03T00:00:00.000Z';

describe('files in a folder', () => {
  test('the first poll records what exists, and the next returns each new entry once', async () => {
    const initial = await poll();
    expect(initial.ids).toEqual([]);
    save('f2');
    const next = await poll(initial.cursor);
    expect(next.items).toEqual(example.outputs?.[0]);
    save('f2', { modifiedTime: later });
    expect((await poll(next.cursor)).ids).toEqual([]);
  });

  test('with the same time, an old date, or moved into it, are returned once', async () => {
    const initial = await poll();
    save('f3', { parents: ['other'] });
    save('f4', { modifiedTime: '1999-01-01T00:00:00.000Z' });
    save('f5');
    const next = await poll(initial.cursor);
    expect(next.ids).toEqual(['f4', 'f5']);
    save('f3', { parents: ['folder1'] });
    expect((await poll(next.cursor)).ids).toEqual(['f3']);
  });

  test('that are added between pages, or change on several pages, are returned once', async () => {
    const initial = await poll();
    pageSize = 2;
    for (const id of ['f2', 'f3', 'f2', 'f4', 'f5', 'f3', 'f6']) save(id);
    const next = await poll(initial.cursor);
    expect([...next.ids].sort()).toEqual(['f2', 'f3', 'f4', 'f5', 'f6']);
    expect((await poll(next.cursor)).ids).toEqual([]);
  });

  test('beyond the pages that a poll handles are returned by the next poll', async () => {
    const initial = await poll();
    pageSize = 1;
    for (let id = 2; id < 27; id++) save(`f${id}`);
    const next = await poll(initial.cursor);
    expect(next.ids).toHaveLength(20);
    const last = await poll(next.cursor);
    expect(new Set([...next.ids, ...last.ids]).size).toBe(25);
  });

  test('that are added all at once are returned by several polls: each file is fetched', async () => {
    const initial = await poll();
    pageSize = 200;
    for (let id = 2; id < 1_202; id++) save(`f${id}`);
    const first = await poll(initial.cursor);
    const second = await poll(first.cursor);
    const third = await poll(second.cursor);
    expect([first, second, third].map(({ ids }) => ids.length)).toEqual([400, 400, 400]);
    expect(new Set([...first.ids, ...second.ids, ...third.ids]).size).toBe(1_200);
  });

  test('that are trashed, deleted, or of another type are not returned', async () => {
    const initial = await poll();
    save('f2', { trashed: true });
    save('f3');
    remove('f3');
    save('f4', { mimeType: 'image/png' });
    save('f5', { mimeType: 'application/vnd.google-apps.folder' });
    expect((await poll(initial.cursor)).ids).toEqual([]);
    const options = (fileType: string) => ({ options: { fileType } });
    expect((await poll(initial.cursor, options('application/vnd.google-apps.photo'))).ids).toEqual(['f4']);
    expect((await poll(initial.cursor, options('all'))).ids).toEqual(['f4']);
    expect((await poll(initial.cursor, { event: 'folderCreated' })).ids).toEqual(['f5']);
  });

  test('that were restored are returned again', async () => {
    const initial = await poll();
    save('f1', { parents: ['other'] });
    const next = await poll(initial.cursor);
    save('f1', { parents: ['folder1'] });
    expect((await poll(next.cursor)).ids).toEqual(['f1']);
  });

  test('are updated if their content changes, but not by other changes', async () => {
    const updates = { event: 'fileUpdated' };
    const initial = await poll(undefined, updates);
    save('f2');
    save('f1');
    const next = await poll(initial.cursor, updates);
    expect(next.ids).toEqual([]);
    save('f1', { modifiedTime: later });
    save('f2', { modifiedTime: later });
    expect((await poll(next.cursor, updates)).ids).toEqual(['f1', 'f2']);
  });

  test('in a shared drive are derived from its own changes', async () => {
    server.on('GET /drive/v3/files/:id', () => ({ json: { id: 'folder1', driveId: 'drive1' } }));
    const initial = await poll();
    await poll(initial.cursor);
    const request = server.received
      .filter(({ url }) => url.includes('/changes'))
      .map(({ url }) => new URL(url, server.origin).searchParams.get('driveId'));
    expect(request).toEqual(['drive1', 'drive1']);
  });
});

test.each<[JsonObject, string]>([
  [{ triggerOn: 'specificFile', fileToWatch: 'f1', event: 'fileUpdated' }, 'f1'],
  [{ event: 'watchFolderUpdated' }, 'folder1'],
])('a single file or folder is returned when it changes: %j', async (parameters, id) => {
  let modifiedTime = '2026-01-01T00:00:00.000Z';
  server.on('GET /drive/v3/files/:id', () => ({ json: { id, modifiedTime } }));
  const initial = await poll(undefined, parameters);
  expect([initial.ids, (await poll(initial.cursor, parameters)).ids]).toEqual([[], []]);
  modifiedTime = later;
  const next = await poll(initial.cursor, parameters);
  expect(next.items).toEqual([{ id, modifiedTime }]);
  expect((await poll(next.cursor, parameters)).ids).toEqual([]);
  expect((await poll(undefined, parameters, 'manual')).ids).toEqual([id]);
});

test('a manual run returns the latest file', async () => {
  expect((await poll(undefined, {}, 'manual')).ids).toEqual(['f1']);
});

test('a failed poll keeps the cursor', async () => {
  const initial = await poll();
  server.on('GET /drive/v3/changes', () => ({ status: 403, json: { error: { message: 'no', status: 'PERMISSION_DENIED' } } }));
  await expect(poll(initial.cursor)).rejects.toThrow('Google Drive: no (PERMISSION_DENIED)');
});
