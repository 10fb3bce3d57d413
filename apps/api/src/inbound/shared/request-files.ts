import { type BinaryStore, describeFile, type GivenDescription, newBinaryId } from '@sluice/binary-store';
import type { StoredBinary, WebhookStarts } from '@sluice/db';
import { type BinaryReference, NotFoundError, PayloadTooLargeError } from '@sluice/domain';

export interface RequestFilesOptions {
  starts: Pick<WebhookStarts, 'announce'>;
  store: BinaryStore;
  caps: {
    /** Bytes of one file. */
    maxBytes: number;
    /** Bytes of all files of a call. */
    executionMaxBytes: number;
  };
}

/** Files of one call. */
const storedAtOnce = 4;

/**
 * The files of one call, stored while they come in: there is no execution yet that could hold them. However many there are, a call takes one connection to the
 * database at a time, and stores a few of them at once.
 */
export class RequestFiles {
  readonly #options: RequestFilesOptions;
  readonly #begun: string[] = [];
  readonly #stored: StoredBinary[] = [];
  readonly #places = new Places(storedAtOnce);
  readonly #beginning = new Set<Promise<void>>();
  /** Those that go with the next statement. */
  #unannounced: string[] = [];
  #announcement: Promise<void> = Promise.resolve();
  #bytes = 0;

  constructor(options: RequestFilesOptions) {
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

  /** Stores a file. Throws `PayloadTooLargeError`, and what the content throws. */
  async take(content: AsyncIterable<Uint8Array>, description: GivenDescription): Promise<BinaryReference> {
    const { store } = this.#options;
    const file = describeFile(description);
    const id = newBinaryId();
    await this.#begin(id);
    const { size } = await store.put(id, this.#metered(content)).finally(() => this.#places.leave());
    this.#stored.push({ id, fileName: file.fileName ?? null, mimeType: file.mimeType, size });
    return { id, ...file, fileSize: size };
  }

  /** Resolves once every file that has been taken is being stored, or cannot be: whoever has more holds it back until then. */
  async allBegun(): Promise<void> {
    await Promise.allSettled(this.#beginning);
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

  async #begin(id: string): Promise<void> {
    const begun = this.#announce(id).then(() => this.#places.take());
    this.#beginning.add(begun);
    try {
      await begun;
    } finally {
      this.#beginning.delete(begun);
    }
  }

  /** Those that come while a statement is under way go with the next one. */
  #announce(id: string): Promise<void> {
    if (this.#unannounced.push(id) === 1)
      this.#announcement = this.#announcement.catch(() => undefined).then(() => this.#announceAll());
    return this.#announcement;
  }

  async #announceAll(): Promise<void> {
    const ids = this.#unannounced;
    this.#unannounced = [];
    await this.#options.starts.announce(...ids);
    this.#begun.push(...ids);
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

/** So many at once; the others wait in the order in which they came. */
class Places {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
