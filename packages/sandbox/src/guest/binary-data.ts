import type { GuestItem } from '../protocol.ts';
import { bufferClass, toBuffer } from './buffer.ts';
import type { FileReads } from './file-reads.ts';

type Bytes = ReturnType<typeof toBuffer>;

/** A file as passed to user code: a reference that it received, or content as base64 in `data`. */
interface CodeFile {
  id?: unknown;
  data?: unknown;
}

type Files = Record<string, CodeFile>;

/**
 * The functions with which user code reads and creates files. Created files are stored when the
 * code returns them.
 */
export class FileAccess {
  readonly #reads: FileReads;
  readonly #items: readonly GuestItem[];

  /** `items`: the input items that calls refer to by index. */
  constructor(reads: FileReads, items: readonly GuestItem[]) {
    this.#reads = reads;
    this.#items = items;
  }

  /** Members of `this.helpers`. */
  helpers(): Record<string, unknown> {
    return {
      prepareBinaryData: async (content: unknown, fileName?: string, mimeType?: string) =>
        made({ fileName, mimeType }, toBuffer(content)),
      setBinaryDataBuffer: async (file: object, content: unknown) => made(file, toBuffer(content)),
      getBinaryDataBuffer: (itemIndex: unknown, file: unknown) => this.#content(this.#file(itemIndex, file)),
      assertBinaryData: (itemIndex: unknown, file: unknown) => this.#file(itemIndex, file),
    };
  }

  /** Globals of the nodes that preceded the Code node. `current`: the item of a Function Item. */
  functionsFor(current: GuestItem | undefined): Record<string, unknown> {
    const functions = {
      getBinaryDataAsync: async (item: unknown = current) => this.#contents(filesOf(item)),
      setBinaryDataAsync: async (...args: unknown[]) => {
        const [item, files] = current ? [current, args[0]] : args;
        setFiles(item, files);
      },
    };
    if (!current) return functions;
    return {
      ...functions,
      getBinaryData: () => current.binary,
      setBinaryData: (files: unknown) => setFiles(current, files),
    };
  }

  #file(itemIndex: unknown, file: unknown): CodeFile {
    if (typeof file === 'object' && file !== null) return file;
    const codeFile = filesOf(this.#items[Number(itemIndex)])?.[String(file)];
    if (!codeFile) throw new Error(`item ${String(itemIndex)} has no file "${String(file)}"`);
    return codeFile;
  }

  async #content({ id, data }: CodeFile): Promise<Bytes> {
    if (typeof data === 'string') return bufferClass().from(data, 'base64');
    if (typeof id !== 'string') throw new Error('this is not a file that the code received');
    bufferClass(); // requests the library before the file
    return this.#reads.read(id);
  }

  /** The files with their content as base64 in `data`. */
  async #contents(files: Files | undefined): Promise<Files | undefined> {
    if (!files) return undefined;
    const full: Files = {};
    for (const key of Object.keys(files)) {
      const file = files[key] as CodeFile;
      full[key] = { ...file, data: (await this.#content(file)).toString('base64') };
    }
    return full;
  }
}

function made(file: object, content: Bytes): object {
  return { ...file, data: content.toString('base64') };
}

function filesOf(item: unknown): Files | undefined {
  if (typeof item !== 'object' || item === null) throw new Error('there is no such item');
  return (item as { binary?: Files }).binary;
}

function setFiles(item: unknown, files: unknown): void {
  filesOf(item);
  if (files === undefined || files === null) delete (item as GuestItem).binary;
  else (item as { binary?: unknown }).binary = files;
}
