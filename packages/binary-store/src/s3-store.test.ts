import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { binaryStoreSuite, type StoreUnderTest, streamOf } from '../tests/binary-store-suite.ts';
import { type S3Server, startS3Server } from '../tests/s3-server.ts';
import { newBinaryId } from './binary-id.ts';
import { S3Store } from './s3-store.ts';

const mebibyte = 1024 * 1024;
const ends: (() => unknown)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

async function setUp(): Promise<{ store: S3Store; server: S3Server }> {
  const server = await startS3Server();
  const { endpoint, bucket, credentials } = server;
  const store = new S3Store({ endpoint, bucket, credentials, region: 'us-east-1' });
  ends.push(
    () => server.close(),
    () => store.close(),
  );
  return { store, server };
}

/** Begins an upload that never ends, and returns the id of its file. */
async function abandonUpload(store: S3Store, server: S3Server): Promise<string> {
  const id = newBinaryId();
  const content = async function* () {
    yield randomBytes(17 * mebibyte);
    await new Promise(() => undefined);
  };
  void store.put(id, content()).catch(() => undefined);
  await eventually(() => expect([...server.uploads.values()]).toEqual([`binary-data/${id}`]));
  return id;
}

binaryStoreSuite('S3Store', async (): Promise<StoreUnderTest> => {
  const { store, server } = await setUp();
  return { store, countKept: async () => server.objects.size + server.uploads.size };
});

describe('S3Store', () => {
  test('a large file is uploaded in parts, two at a time, and read back in order', async () => {
    const { store, server } = await setUp();
    const id = newBinaryId();
    const bytes = randomBytes(33 * mebibyte);
    await store.put(id, streamOf(bytes));
    expect(server.partsAtOnce).toBeLessThanOrEqual(2);
    expect((await buffer(await store.open(id))).equals(bytes)).toBe(true);
    expect([...server.objects.keys()]).toEqual([`binary-data/${id}`]);
  });

  test('an abandoned upload of a dead process is deleted on request', async () => {
    const { store, server } = await setUp();
    const id = await abandonUpload(store, server);
    await store.delete([id]);
    expect(server.uploads.size).toBe(1);
    await store.delete([id], { interrupted: true });
    expect(server.uploads.size).toBe(0);
  });

  test('an abandoned upload is deleted even if deleting a missing file is an error', async () => {
    const { store, server } = await setUp();
    const id = await abandonUpload(store, server);
    server.refuse((call) => (/^DELETE (?!.*uploadId)/.test(call) ? { status: 404, code: 'NoSuchKey' } : undefined));
    await store.delete([id], { interrupted: true });
    expect(server.uploads.size).toBe(0);
  });

  test('a part that the storage rejects fails the file, and nothing is stored', async () => {
    const { store, server } = await setUp();
    server.refuse((call) => (call.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : undefined));
    let released = false;
    const content = async function* () {
      try {
        for (;;) yield randomBytes(mebibyte);
      } finally {
        released = true;
      }
    };
    await expect(store.put(newBinaryId(), content())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'the storage of files (BINARY_S3_BUCKET) does not work: AccessDenied',
    });
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
    expect(released).toBe(true);
  });

  test('a missing bucket or wrong keys do not count as a missing file', async () => {
    const { store, server } = await setUp();
    server.refuse(() => ({ status: 404, code: 'NoSuchBucket' }));
    await expect(store.open(newBinaryId())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const credentials = { accessKeyId: 'other', secretAccessKey: 'a secret' };
    const stranger = new S3Store({ endpoint: server.endpoint, bucket: server.bucket, credentials, region: 'us-east-1' });
    const refused: unknown = await stranger.open(newBinaryId()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: 'the storage of files (BINARY_S3_BUCKET) does not work: AccessDenied' });
    expect(JSON.stringify(refused)).not.toContain('a secret');
    stranger.close();
  });
});
