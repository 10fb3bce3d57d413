import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf } from '@sluice/domain';
import { isBinaryId } from './binary-id.ts';
import type { BinaryStore, ByteRange, DeleteOptions } from './binary-store.ts';
import { BinaryNotFoundError, storageError } from './errors.ts';

/**
 * Files in up to 4096 folders: `<first three characters of the id>/<id>`. Bytes are written to a
 * temporary file, flushed, and then renamed, so that a file is either complete or absent, even
 * after a power failure.
 */
export class DiskStore implements BinaryStore {
  readonly #folder: string;

  /** `folder`: absolute; created on first use. All processes must share it. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(id: string, content: AsyncIterable<Uint8Array>): Promise<{ size: number }> {
    const path = this.#pathOf(id);
    if (path === undefined) throw new Error('not a file id');
    const part = partOf(path);
    const file = await io(() => create(part));
    try {
      const size = await writeAll(file, content).finally(() => file.close());
      await io(() => rename(part, path));
      await io(() => flushFolder(dirname(path)));
      return { size };
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined); // the rest is left to `delete`
      throw error;
    }
  }

  async open(id: string, range?: ByteRange): Promise<Readable> {
    const path = this.#pathOf(id);
    if (path === undefined) throw new BinaryNotFoundError(id);
    try {
      const file = await open(path, 'r');
      return file.createReadStream(range);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new BinaryNotFoundError(id);
      throw diskError(error);
    }
  }

  async exists(id: string): Promise<boolean> {
    const path = this.#pathOf(id);
    if (path === undefined) return false;
    try {
      await access(path, constants.F_OK);
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw diskError(error);
    }
  }

  async delete(ids: readonly string[], { interrupted = false }: DeleteOptions = {}): Promise<void> {
    for (const id of ids) {
      const path = this.#pathOf(id);
      if (path === undefined) continue;
      await io(() => rm(path, { force: true }));
      if (interrupted) await io(() => rm(partOf(path), { force: true }));
    }
  }

  close(): void {}

  #pathOf(id: string): string | undefined {
    return isBinaryId(id) ? join(this.#folder, id.slice(0, 3), id) : undefined;
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

/** Private to this user, like the folders above it. */
async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return open(path, 'wx', 0o600);
}

/** Errors from the content stream are passed on unchanged. */
async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of content) {
    await io(() => file.appendFile(chunk));
    size += chunk.byteLength;
  }
  await io(() => file.sync());
  return size;
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function diskError(error: unknown): Error {
  return storageError('BINARY_DIR', codeOf(error), error);
}

async function io<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw diskError(error);
  }
}
