import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { BinaryContent, FileAccess, FileWatcher, FileWatchOptions } from '@sluice/node-sdk';
import { FileNotAllowedError, FileNotFoundError, FileTooLargeError, fileError, writeError } from './file-errors.ts';
import { contains, type FolderRules, folderRules } from './folder-rules.ts';
import { parseGlob, plainPath } from './glob-pattern.ts';
import { walkFolder } from './walk-folder.ts';
import { watchPath } from './watch-path.ts';

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

interface AllowedFolderOptions {
  /** Folders that are never read or written, even inside an allowed one: the service's own home. */
  refused?: readonly string[];
  /** Maximum size of a file in bytes, for reading and writing. Default: 1 GiB. */
  maxBytes?: number;
}

/**
 * The files in the allowed folders. A path is absolute, or relative to the first folder. Links are
 * followed as long as they stay inside. The location of the opened folder is checked through its
 * handle after opening, so that a link swapped in between has no effect. Only regular files are
 * read and written.
 */
export class AllowedFolder implements FileAccess {
  readonly #rules: FolderRules;
  readonly #maxBytes: number;

  constructor(folders: readonly string[], { refused = [], maxBytes = 1024 ** 3 }: AllowedFolderOptions = {}) {
    this.#rules = folderRules(folders, refused);
    this.#maxBytes = maxBytes;
  }

  async list(pattern: string): Promise<readonly string[]> {
    const glob = understood(pattern, () => parseGlob(this.#absolute(pattern)));
    if (!glob) {
      const path = this.#absolute(plainPath(pattern));
      const { handle } = await this.#openFile(path, O_RDONLY);
      await handle.close();
      return [path];
    }
    const folder = resolve(glob.base);
    const exact = this.#absolute(pattern);
    await this.#check(folder);
    const paths: string[] = [];
    for await (const { path, isLink } of walkFolder(folder, glob)) {
      if ((glob.matches(path) || path === exact) && (await this.#isReadable(path, isLink))) paths.push(path);
    }
    return paths.sort();
  }

  async open(path: string): Promise<AsyncIterable<Uint8Array>> {
    const { handle, size } = await this.#openFile(this.#absolute(path), O_RDONLY);
    await handle.close();
    if (size > this.#maxBytes) throw new FileTooLargeError(path, this.#maxBytes);
    return this.#read(path);
  }

  async watch(path: string, options: FileWatchOptions): Promise<FileWatcher> {
    const target = await this.#resolved(this.#absolute(path), false);
    if (!(await this.#rules.allows(target))) throw new FileNotAllowedError(path);
    return watchPath(target, this.#rules, options);
  }

  async write(path: string, content: BinaryContent, { append = false } = {}): Promise<void> {
    const target = this.#absolute(path);
    const bytes = content instanceof Uint8Array ? [content] : content;
    try {
      await (append ? this.#append(target, bytes) : this.#replace(target, bytes));
    } catch (error) {
      throw writeError(error, target);
    }
  }

  /** Opens the file again on the first read, so that nothing stays open without a reader. */
  async *#read(path: string): AsyncGenerator<Uint8Array> {
    const { handle } = await this.#openFile(this.#absolute(path), O_RDONLY);
    try {
      let size = 0;
      for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        if (size > this.#maxBytes) throw new FileTooLargeError(path, this.#maxBytes);
        yield chunk;
      }
    } finally {
      await handle.close();
    }
  }

  async #append(path: string, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    const { handle, size } = await this.#openFile(path, O_WRONLY | O_APPEND | O_CREAT);
    try {
      await this.#fill(handle, path, content, size);
    } finally {
      await handle.close();
    }
  }

  /** Writes a temporary file next to it, which then replaces it. */
  async #replace(path: string, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    await using folder = await this.#openFolder(dirname(path), path);
    const part = join(folder.path, `.${randomUUID()}.part`);
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    const handle = await open(part, flags, 0o644).catch((error: unknown) => Promise.reject(fileError(error, path)));
    try {
      await this.#fill(handle, path, content, 0);
      await handle.sync();
      await rename(part, join(folder.path, basename(path)));
    } catch (error) {
      await unlink(part).catch(() => {});
      throw fileError(error, path);
    } finally {
      await handle.close();
    }
  }

  async #fill(
    handle: FileHandle,
    path: string,
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    sizeBefore: number,
  ): Promise<void> {
    let size = sizeBefore;
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > this.#maxBytes) throw new FileTooLargeError(path, this.#maxBytes);
      await handle.writeFile(chunk);
    }
  }

  /** Opens a regular file, following links that stay inside. */
  async #openFile(path: string, flags: number): Promise<{ handle: FileHandle; size: number }> {
    const target = await this.#resolved(path, (flags & O_CREAT) !== 0);
    await using folder = await this.#openFolder(dirname(target), path);
    const name = join(folder.path, basename(target));
    // Avoids waiting for the other end of a pipe.
    const opening = open(name, flags | O_NOFOLLOW | O_NONBLOCK, 0o644);
    const handle = await opening.catch((error: unknown) => Promise.reject(fileError(error, path)));
    try {
      const stats = await handle.stat();
      if (!stats.isFile())
        throw new FileNotAllowedError(path, stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
      if (!(await this.#isInside(handle, name))) throw new FileNotAllowedError(path);
      return { handle, size: stats.size };
    } catch (error) {
      await handle.close();
      throw fileError(error, path);
    }
  }

  /** Target of a path; for a new file, its future location. */
  async #resolved(path: string, mayBeMade: boolean): Promise<string> {
    this.#checkText(path);
    try {
      return await realpath(path);
    } catch (error) {
      const translated = fileError(error, path);
      if (!mayBeMade || !(translated instanceof FileNotFoundError)) throw translated;
      return path;
    }
  }

  /**
   * Opens a folder and checks that it is inside. The returned `path` refers to this very folder,
   * even if it is moved in the meantime, on systems with paths for handles (Linux).
   */
  async #openFolder(folder: string, file: string): Promise<{ path: string } & AsyncDisposable> {
    this.#checkText(file);
    const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
    const real = await realpath(folder).catch((error: unknown) => Promise.reject(fileError(error, file)));
    const handle = await open(real, flags).catch((error: unknown) => Promise.reject(fileError(error, file)));
    try {
      const path = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real;
      if (!(await this.#isInside(handle, path))) throw new FileNotAllowedError(file);
      return { path, [Symbol.asyncDispose]: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw fileError(error, file);
    }
  }

  /** Whether a handle's target is still the target of its path, and inside. */
  async #isInside(handle: FileHandle, path: string): Promise<boolean> {
    const real = await realpath(path);
    const [opened, named] = await Promise.all([handle.stat(), stat(real)]);
    return opened.ino === named.ino && opened.dev === named.dev && (await this.#rules.allows(real));
  }

  async #isReadable(path: string, isLink: boolean): Promise<boolean> {
    if (!isLink) return this.#rules.allows(await realpath(dirname(path)));
    try {
      const real = await realpath(path);
      return (await this.#rules.allows(real)) && (await stat(real)).isFile();
    } catch {
      return false;
    }
  }

  async #check(folder: string): Promise<void> {
    const opened = await this.#openFolder(folder, folder);
    await opened[Symbol.asyncDispose]();
  }

  /** Refuses invalid strings before they reach the file system. */
  #checkText(path: string): void {
    if (!this.#rules.folders.some((folder) => contains(folder, path))) throw new FileNotAllowedError(path);
  }

  #absolute(path: string): string {
    if (path.includes('\0')) throw new FileNotAllowedError(JSON.stringify(path), 'it contains a null character');
    return isAbsolute(path) ? resolve(path) : resolve(this.#rules.folders[0] ?? '/', path);
  }
}

function understood<T>(pattern: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FileNotAllowedError || !(error instanceof Error)) throw error;
    throw new FileNotAllowedError(pattern, `the pattern is not valid: ${error.message}`);
  }
}
