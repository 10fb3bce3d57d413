import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type BinaryStore, createBinaryStore } from '@sluice/binary-store';
import type { BinaryReference } from '@sluice/domain';
import { SourceFiles } from './source-files.ts';

let folder: string;
let store: BinaryStore;
let announced: string[];
let files: SourceFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  store = createBinaryStore({ kind: 'disk', folder }, null);
  announced = [];
  const caps = { maxBytes: 20_000, executionMaxBytes: 50_000 };
  const webhookStarts = { announce: async (id: string) => void announced.push(id) };
  files = new SourceFiles({ webhookStarts, store, caps }, new AbortController().signal);
});
afterEach(async () => {
  store.close();
  await rm(folder, { recursive: true });
});

const storeFile = (bytes: number) => files.store(Buffer.alloc(bytes), {});
const taken = (reference: BinaryReference) => files.of([{ json: {}, binary: { data: reference } }]);

test('files that are stored at the same time are counted together', async () => {
  const stored = await Promise.allSettled([1, 2, 3, 4].map(() => storeFile(20_000)));
  expect(stored.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const outcome of stored)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'BINARY_TOO_LARGE' });
});

test('files that an execution holds no longer count', async () => {
  const [first] = [await storeFile(20_000), await storeFile(20_000)];
  await expect(storeFile(20_000)).rejects.toMatchObject({ code: 'BINARY_TOO_LARGE' });
  files.held(taken(first));
  expect(taken(first)).toEqual([]);
  expect(await storeFile(20_000)).toMatchObject({ fileSize: 20_000 });
});

test('files without an execution are deleted, and no longer count', async () => {
  await storeFile(20_000);
  await storeFile(20_000);
  const [id = ''] = announced;
  await files.discard();
  expect(await store.exists(id)).toBe(false);
  for (let file = 0; file < 2; file += 1) expect(await storeFile(20_000)).toMatchObject({ fileSize: 20_000 });
});

test('a file that could not be registered does not count', async () => {
  const failing = new SourceFiles(
    {
      webhookStarts: { announce: () => Promise.reject(new Error('the database is away')) },
      store,
      caps: { maxBytes: 20_000, executionMaxBytes: 20_000 },
    },
    new AbortController().signal,
  );
  for (let file = 0; file < 3; file += 1) await expect(failing.store(Buffer.alloc(20_000), {})).rejects.toThrow('away');
});
