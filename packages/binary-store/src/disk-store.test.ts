import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { binaryStoreSuite, type StoreUnderTest, streamOf } from '../tests/binary-store-suite.ts';
import { newBinaryId } from './binary-id.ts';
import { DiskStore } from './disk-store.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-store-'));
  folders.push(folder);
  return folder;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

binaryStoreSuite('DiskStore', async (): Promise<StoreUnderTest> => {
  const folder = await aFolder();
  return { store: new DiskStore(join(folder, 'files')), countKept: async () => (await filesIn(folder)).length };
});

describe('DiskStore', () => {
  test('a file does not exist until it is complete', async () => {
    const store = new DiskStore(await aFolder());
    const id = newBinaryId();
    const seen: boolean[] = [];
    const content = async function* () {
      yield Buffer.from('half');
      seen.push(await store.exists(id));
      yield Buffer.from(' and half');
    };
    await store.put(id, content());
    expect([...seen, await store.exists(id)]).toEqual([false, true]);
  });

  test('partial data of a dead process is deleted on request', async () => {
    const folder = await aFolder();
    const store = new DiskStore(folder);
    const id = newBinaryId();
    await store.put(id, streamOf(Buffer.from('x')));
    await writeFile(join(folder, id.slice(0, 3), `${id}.part`), 'half');
    await store.delete([id]);
    expect(await filesIn(folder)).toEqual([`${id}.part`]);
    await store.delete([id], { interrupted: true });
    expect(await filesIn(folder)).toEqual([]);
  });

  test('files and folders are private to the user', async () => {
    const folder = join(await aFolder(), 'files');
    const id = newBinaryId();
    await new DiskStore(folder).put(id, streamOf(Buffer.from('x')));
    const modes = await Promise.all([folder, join(folder, id.slice(0, 3)), join(folder, id.slice(0, 3), id)].map(modeOf));
    expect(modes).toEqual(['700', '700', '600']);
  });

  test('a folder that cannot be written is a transient error', async () => {
    const file = join(await aFolder(), 'file');
    await writeFile(file, '');
    const store = new DiskStore(file);
    await expect(store.put(newBinaryId(), streamOf())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'the storage of files (BINARY_DIR) does not work: ENOTDIR',
      details: { path: expect.stringMatching(new RegExp(`^${file}/`)) },
    });
    await expect(store.open(newBinaryId())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}
