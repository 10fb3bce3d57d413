import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createBinaryStore, newBinaryId } from '@sluice/binary-store';
import { aSmallWorkflow } from '@sluice/test-support';
import { assertDocumented } from './support/documented.ts';
import { ownerKey, startTestApi } from './support/test-api.ts';

const folder = await mkdtemp(join(tmpdir(), 'binary-data-'));
const store = createBinaryStore({ kind: 'disk', folder }, null);
const api = await startTestApi({ BINARY_DIR: folder });
const projectId = (await api.projects.createTeam({ name: 'team' })).id;
const { body: workflow } = await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId } });
const executionId = (await api.call('POST', `/workflows/${workflow.id}/run`)).body.executionId;
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

interface FileRow {
  mime_type?: string;
  file_name?: string | null;
  size?: string | null;
}

/** Stores a file of the execution, as a worker does. */
async function aFile(bytes: Uint8Array, row: FileRow = {}): Promise<string> {
  const id = newBinaryId();
  const content = async function* () {
    yield bytes;
  };
  const { size } = await store.put(id, content());
  const values = { id, execution_id: executionId, file_name: 'a.txt', mime_type: 'text/plain', size: String(size), ...row };
  await api.db.kysely.insertInto('binary_data').values(values).execute();
  return id;
}

async function get(id: string, { headers = {}, method = 'GET', key = ownerKey } = {}) {
  const path = `/binary-data/${id}`;
  const response = await fetch(`${api.url}/api/v1${path}`, { method, headers: { 'x-service-api-key': key, ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
  if (method === 'GET') assertDocumented('GET', path, { status: response.status, headers: response.headers, body });
  return { status: response.status, header: (name: string) => response.headers.get(name), bytes, body };
}

describe('GET /binary-data/:id', () => {
  test('returns the bytes with type, length, and ETag', async () => {
    const bytes = randomBytes(200_000);
    const id = await aFile(bytes, { mime_type: 'image/png', file_name: 'plot.png' });
    const received = await get(id);
    expect([received.status, received.bytes.equals(bytes)]).toEqual([200, true]);
    expect(received.header('content-type')).toBe('image/png');
    expect([received.header('content-length'), received.header('etag')]).toEqual(['200000', `"${id}"`]);
  });

  test('is always a download in browsers, so that its content cannot run on this origin', async () => {
    const id = await aFile(Buffer.from('<script>alert(1)</script>'), { mime_type: 'text/html', file_name: 'ü"\\x.html' });
    const received = await get(id);
    expect(received.header('content-type')).toBe('text/html');
    expect(received.header('content-disposition')).toMatch(/^attachment; filename=.*filename\*=UTF-8''%C3%BC%22%5Cx\.html$/);
    expect(received.header('x-content-type-options')).toBe('nosniff');
    expect(received.header('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
    expect(received.header('cache-control')).toBe('private, no-cache');
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null],
    ['bytes=abc', 200, '0123456789', null],
  ])('the range %s returns status %i', async (range, status, text, contentRange) => {
    const id = await aFile(Buffer.from('0123456789'));
    const received = await get(id, { headers: { range } });
    expect([received.status, received.bytes.toString(), received.header('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
    expect(received.header('content-length')).toBe(String(text.length));
  });

  test('a range beyond the end is 416 and reports the size', async () => {
    const received = await get(await aFile(Buffer.from('0123456789')), { headers: { range: 'bytes=10-' } });
    expect([received.status, received.body.code, received.header('content-range')]).toEqual([
      416,
      'RANGE_NOT_SATISFIABLE',
      'bytes */10',
    ]);
  });

  test('If-Range with another ETag returns the whole file', async () => {
    const id = await aFile(Buffer.from('0123456789'));
    const statusWith = async (tag: string) => (await get(id, { headers: { range: 'bytes=0-1', 'if-range': tag } })).status;
    expect([await statusWith('"other"'), await statusWith(`"${id}"`)]).toEqual([200, 206]);
  });

  test('a file that the client already has is not sent again', async () => {
    const id = await aFile(Buffer.from('0123456789'));
    // Fetch would add `no-cache` itself.
    const headers = { 'if-none-match': `"${id}"`, 'cache-control': 'max-age=0' };
    const received = await get(id, { headers });
    expect([received.status, received.bytes.length]).toEqual([304, 0]);
  });

  test('HEAD returns only the headers, and an empty file is returned', async () => {
    const head = await get(await aFile(Buffer.from('0123456789')), { method: 'HEAD' });
    expect([head.status, head.header('content-length'), head.bytes.length]).toEqual([200, '10', 0]);
    const empty = await get(await aFile(Buffer.alloc(0)));
    expect([empty.status, empty.bytes.length]).toEqual([200, 0]);
  });

  test('an unreferenced file, an incomplete file, and an invalid ID are 404', async () => {
    const unfinished = await aFile(Buffer.from('x'), { size: null });
    for (const id of [newBinaryId(), unfinished, 'x', '..%2f..%2fetc%2fpasswd'])
      expect((await get(id)).body).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('bytes that are missing from the storage are 404 without file headers', async () => {
    const id = await aFile(Buffer.from('x'));
    await store.delete([id]);
    const received = await get(id);
    expect([received.status, received.body.code]).toEqual([404, 'NOT_FOUND']);
    expect([received.header('content-disposition'), received.header('etag')]).toEqual([null, null]);
  });

  test('requires access to an execution that refers to the file', async () => {
    const id = await aFile(Buffer.from('x'));
    const stranger = await api.newUser('member');
    expect((await get(id, { key: stranger.key })).body).toMatchObject({ code: 'FORBIDDEN' });
    await api.projects.setMember(projectId, stranger.user.id, 'project:viewer');
    const key = await api.newKey(stranger.user.id);
    expect((await get(id, { key })).status).toBe(200);
    const unscoped = await api.newKey(stranger.user.id, { scopes: ['execution:list'] });
    expect((await get(id, { key: unscoped })).body.details).toEqual([{ path: 'scope', message: 'execution:read' }]);
  });
});
