import { type BinaryStore, describeFile, type GivenDescription, newBinaryId } from '@sluice/binary-store';
import type { StoredBinary, WebhookStarts } from '@sluice/db';
import { type BinaryReference, NotFoundError, PayloadTooLargeError } from '@sluice/domain';

export interface CallFilesOptions {
  starts: Pick<WebhookStarts, 'announce'>;
  store: BinaryStore;
  caps: {
    /** Bytes of one file. */
    maxBytes: number;
    /** Bytes of all files of a call. */
    executionMaxBytes: number;
  };
}

/** The files of one call, stored while they come in: there is no execution yet that could hold them. */
export class CallFiles {
  readonly #options: CallFilesOptions;
  readonly #begun: string[] = [];
  readonly #stored: StoredBinary[] = [];
  #bytes = 0;

  constructor(options: CallFilesOptions) {
    this.#options = options;
  }

  /** What is stored, for the execution that is to hold it. */
  get stored(): readonly StoredBinary[] {
    return this.#stored;
  }

  /** How many bytes of files have come so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `PayloadTooLargeError`, and what the content throws. */
  async take(content: AsyncIterable<Uint8Array>, description: GivenDescription): Promise<BinaryReference> {
    const { starts, store } = this.#options;
    const file = describeFile(description);
    const id = newBinaryId();
    await starts.announce(id);
    this.#begun.push(id);
    const { size } = await store.put(id, this.#metered(content));
    this.#stored.push({ id, fileName: file.fileName ?? null, mimeType: file.mimeType, size });
    return { id, ...file, fileSize: size };
  }

  /** One of them, whole. Throws `NotFoundError` for any other. */
  async open(id: string): Promise<AsyncIterable<Uint8Array>> {
    if (this.#stored.some((file) => file.id === id)) return this.#options.store.open(id);
    throw new NotFoundError(`the call has no file ${id.slice(0, 64)}`);
  }

  /** The call starts nothing. What cannot be deleted now is deleted later: it was announced. */
  async discard(): Promise<void> {
    if (this.#begun.length > 0) await this.#options.store.delete(this.#begun).catch(() => undefined);
  }

  async *#metered(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { maxBytes, executionMaxBytes } = this.#options.caps;
    let size = 0;
    for await (const chunk of content) {
      size += chunk.byteLength;
      this.#bytes += chunk.byteLength;
      if (size > maxBytes) throw new PayloadTooLargeError('a file of the call is too large');
      if (this.#bytes > executionMaxBytes) throw new PayloadTooLargeError('the files of the call are too large');
      yield chunk;
    }
  }
}
