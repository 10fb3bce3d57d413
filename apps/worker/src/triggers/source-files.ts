import { type BinaryStore, describeFile, newBinaryId } from '@sluice/binary-store';
import type { StoredBinary, WebhookStarts } from '@sluice/db';
import type { BinaryReference, Item } from '@sluice/domain';
import type { BinaryAccess, BinaryContent, FileDescription } from '@sluice/node-sdk';
import { abortable } from '../binary/abortable.ts';
import { BinaryTooLargeError } from '../binary/errors.ts';
import { broughtFileIds } from '../binary/file-ids.ts';

export interface SourceFilesOptions {
  starts: Pick<WebhookStarts, 'announce'>;
  store: BinaryStore;
  caps: {
    /** Bytes of one file. */
    maxBytes: number;
    /** Bytes of all files of an execution. */
    executionMaxBytes: number;
  };
}

/** Files of a poll or a listener, stored before there is an execution that could hold them; they are announced first, so that none stays for ever. */
export class SourceFiles implements Pick<BinaryAccess, 'store'> {
  readonly #options: SourceFilesOptions;
  readonly #signal: AbortSignal;
  /** By id; those that nothing has been started with. */
  readonly #waiting = new Map<string, StoredBinary>();

  constructor(options: SourceFilesOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async store(content: BinaryContent, description: FileDescription): Promise<BinaryReference> {
    const { starts, store } = this.#options;
    const file = describeFile(description);
    const id = newBinaryId();
    await starts.announce(id);
    const chunks = ArrayBuffer.isView(content) ? inOnePiece(content) : content;
    const { size } = await store.put(id, this.#metered(abortable(chunks, this.#signal)));
    this.#waiting.set(id, { id, fileName: file.fileName ?? null, mimeType: file.mimeType, size });
    return { id, ...file, fileSize: size };
  }

  /** The files of items that are about to start an execution. */
  of(items: readonly Item[]): StoredBinary[] {
    return broughtFileIds({ trigger: { items } }).flatMap((id) => this.#waiting.get(id) ?? []);
  }

  /** An execution holds these now. */
  held(files: readonly StoredBinary[]): void {
    for (const { id } of files) this.#waiting.delete(id);
  }

  /** Nothing is started with the others. What cannot be deleted now is deleted later. */
  async discard(): Promise<void> {
    if (this.#waiting.size > 0) await this.#options.store.delete([...this.#waiting.keys()]).catch(() => undefined);
    this.#waiting.clear();
  }

  async *#metered(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { maxBytes, executionMaxBytes } = this.#options.caps;
    let total = [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      total += chunk.byteLength;
      if (bytes > maxBytes) throw new BinaryTooLargeError('the file', maxBytes);
      if (total > executionMaxBytes) throw new BinaryTooLargeError('the files of the execution', executionMaxBytes);
      yield chunk;
    }
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
