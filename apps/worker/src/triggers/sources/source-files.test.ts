import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type BinaryStore, createBinaryStore } from '@sluice/binary-store';
import { SourceLeaseLostError } from '@sluice/db';
import { type BinaryReference, UnavailableError } from '@sluice/domain';
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
const filesOf = (reference: BinaryReference) => files.of([{ json: {}, binary: { data: reference } }]);

test('files that are stored concurrently are counted together', async () => {
  const stored = await Promise.allSettled([1, 2, 3, 4].map(() => storeFile(20_000)));
  expect(stored.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const outcome of stored)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'BINARY_TOO_LARGE' });
});

test('files that an execution references are no longer counted', async () => {
  const [first] = [await storeFile(20_000), await storeFile(20_000)];
  await expect(storeFile(20_000)).rejects.toMatchObject({ code: 'BINARY_TOO_LARGE' });
  files.referenced(filesOf(first));
  expect(filesOf(first)).toEqual([]);
  expect(await storeFile(20_000)).toMatchObject({ fileSize: 20_000 });
});

test('files without an execution are deleted and no longer counted', async () => {
  await storeFile(20_000);
  await storeFile(20_000);
  const [id = ''] = announced;
  await files.discard();
  expect(await store.exists(id)).toBe(false);
  for (let file = 0; file < 2; file += 1) expect(await storeFile(20_000)).toMatchObject({ fileSize: 20_000 });
});

describe('files of a commit', () => {
  const fail = (error: Error) => () => Promise.reject(error);
  const lost = fail(new UnavailableError('the reply was lost'));

  test.each<[string, (() => Promise<unknown>)[], boolean]>([
    ['whose reply was lost are kept, even if the repeated commit is rejected', [lost, fail(new SourceLeaseLostError())], true],
    ['that has not ended are kept', [() => new Promise(() => undefined)], true],
    ['that was rejected are deleted', [fail(new SourceLeaseLostError())], false],
    ['that repeated an earlier start are deleted', [async () => 'repeated'], false],
  ])('%s', async (_, commits, isKept) => {
    const file = await storeFile(10);
    for (const commit of commits) {
      const ended = files.commit(filesOf(file), commit).catch(() => undefined);
      await Promise.race([ended, setImmediate()]);
      expect(filesOf(file)).toHaveLength(1);
    }
    await files.discard();
    expect(await store.exists(announced[0] ?? '')).toBe(isKept);
    expect(filesOf(file)).toEqual([]);
  });
});

test('a file that could not be registered is not counted', async () => {
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
