import { buffer } from 'node:stream/consumers';
import { errorMessage, isNodeOperationError, NodeOperationError } from '@sluice/node-sdk';
import type { Entry, ZipFile } from 'yauzl';

/** Limits for the contents of an archive. */
interface ArchiveLimits {
  /** Total uncompressed size of all files, in bytes. */
  maxBytes: number;
  maxFiles: number;
}

interface ZipEntry {
  /** Path in the archive: untrusted text, never a path on this machine. */
  path: string;
  /**
   * The file's bytes. Throws as soon as they exceed the archive's limit or differ from the declared
   * size.
   */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * The files of a zip archive, without folders. Open them one after another. Throws a
 * `NodeOperationError` if the archive is malformed, encrypted, or over its limits, by its declared
 * sizes or its actual bytes.
 */
export async function* zipEntries(archive: Buffer, limits: ArchiveLimits, itemIndex: number): AsyncGenerator<ZipEntry> {
  const yauzl = await import('yauzl');
  const counter = new ByteCounter(limits.maxBytes, itemIndex);
  const zip = await inArchive(yauzl.fromBufferPromise(archive, { lazyEntries: true, decodeStrings: false }), itemIndex);
  for (const { path, entry } of await listFiles(zip, limits, itemIndex)) {
    yield { path, open: async () => counter.count(await openEntry(zip, entry, itemIndex), itemIndex) };
  }
}

/** Lists all files before any file is unpacked: the declared sizes alone may exceed the limits. */
async function listFiles(zip: ZipFile, limits: ArchiveLimits, itemIndex: number): Promise<{ path: string; entry: Entry }[]> {
  const { getFileNameLowLevel } = await import('yauzl');
  const files: { path: string; entry: Entry }[] = [];
  let statedBytes = 0;
  for await (const entry of entriesOf(zip, itemIndex)) {
    const path = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
    if (path.endsWith('/')) continue;
    if (files.push({ path, entry }) > limits.maxFiles)
      throw badArchive(`it contains more than ${limits.maxFiles} files`, itemIndex);
    statedBytes += entry.uncompressedSize;
    if (statedBytes > limits.maxBytes) throw badArchive(`it expands to more than ${limits.maxBytes} bytes`, itemIndex);
  }
  return files;
}

/**
 * The files of an archive with their bytes. For work threads, which bound the memory of all of
 * them; the host adds the item to the error.
 */
export async function readZip(archive: Uint8Array, limits: ArchiveLimits): Promise<[string, Uint8Array][]> {
  const files: [string, Uint8Array][] = [];
  const { buffer: memory, byteOffset, byteLength } = archive;
  for await (const entry of zipEntries(Buffer.from(memory, byteOffset, byteLength), limits, 0))
    files.push([entry.path, await buffer(await entry.open())]);
  return files;
}

export function looksLikeZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/** Counts bytes across several streams, against archive bombs. */
export class ByteCounter {
  readonly #maxBytes: number;
  readonly #itemIndex: number;
  #bytes = 0;

  constructor(maxBytes: number, itemIndex: number) {
    this.#maxBytes = maxBytes;
    this.#itemIndex = itemIndex;
  }

  async *count(stream: AsyncIterable<Uint8Array>, itemIndex: number = this.#itemIndex): AsyncGenerator<Uint8Array> {
    const pieces = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await inArchive(pieces.next(), itemIndex);
        if (done) return;
        this.#bytes += value.length;
        if (this.#bytes > this.#maxBytes) throw badArchive(`it expands to more than ${this.#maxBytes} bytes`, itemIndex);
        yield value;
      }
    } finally {
      await pieces.return?.();
    }
  }
}

async function* entriesOf(zip: ZipFile, itemIndex: number): AsyncGenerator<Entry> {
  const entries = zip.eachEntry();
  for (;;) {
    const { done, value } = await inArchive(entries.next(), itemIndex);
    if (done) return;
    yield value;
  }
}

async function openEntry(zip: ZipFile, entry: Entry, itemIndex: number): Promise<AsyncIterable<Uint8Array>> {
  if (entry.isEncrypted()) throw badArchive('it is encrypted, which is not supported', itemIndex);
  return inArchive(zip.openReadStreamPromise(entry), itemIndex);
}

async function inArchive<T>(work: Promise<T>, itemIndex: number): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isNodeOperationError(error)) throw error;
    throw badArchive(errorMessage(error), itemIndex);
  }
}

function badArchive(problem: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the archive cannot be read: ${problem}`, {
    itemIndex,
    description: 'Check that the file is a complete archive of the expected format',
  });
}
