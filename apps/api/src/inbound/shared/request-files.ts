import { type BinaryStore, describeFile, type FileDescription, newBinaryId } from '@sluice/binary-store';
import type { StoredBinary, WebhookStartRepository } from '@sluice/db';
import { type BinaryReference, type MemoryReservation, NotFoundError, PayloadTooLargeError } from '@sluice/domain';

export interface RequestFilesOptions {
  webhookStarts: Pick<WebhookStartRepository, 'announce'>;
  store: BinaryStore;
  caps: {
    /** Maximum size of one file, in bytes. */
    maxBytes: number;
    /** Maximum total size of a request's files, in bytes. */
    executionMaxBytes: number;
  };
}

/** Number of files of one request that are stored at a time. */
const maxConcurrentFiles = 4;

/**
 * Files of one request, stored as they arrive, before an execution exists that could reference
 * them. A request uses one database connection and stores a few files at a time, however many it
 * has.
 */
export class RequestFiles {
  readonly #options: RequestFilesOptions;
  readonly #announced: string[] = [];
  readonly #stored: StoredBinary[] = [];
  readonly #slots = new Semaphore(maxConcurrentFiles);
  readonly #starting = new Set<Promise<void>>();
  /** Ids that the next statement announces. */
  #unannounced: string[] = [];
  #announcement: Promise<void> = Promise.resolve();
  #bytes = 0;

  /** Memory for the rest of the body; absent for a short one. */
  readonly memory: MemoryReservation | undefined;

  constructor(options: RequestFilesOptions, memory?: MemoryReservation) {
    this.#options = options;
    this.memory = memory;
  }

  /** Stored files, for the execution that will reference them. */
  get stored(): readonly StoredBinary[] {
    return this.#stored;
  }

  /** Bytes of files received so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Stores a file. Throws `PayloadTooLargeError`, and errors of the content. */
  async take(content: AsyncIterable<Uint8Array>, description: FileDescription): Promise<BinaryReference> {
    const { store } = this.#options;
    const file = describeFile(description);
    const id = newBinaryId();
    await this.#start(id);
    const { size } = await store.put(id, this.#metered(content)).finally(() => this.#slots.release());
    this.#stored.push({ id, fileName: file.fileName ?? null, mimeType: file.mimeType, size });
    return { id, ...file, fileSize: size };
  }

  /**
   * Resolves once every file taken so far is being stored, or has failed. The reader pauses until
   * then.
   */
  async allStarted(): Promise<void> {
    await Promise.allSettled(this.#starting);
  }

  /** The content of a stored file of this request. Throws `NotFoundError`. */
  async open(id: string): Promise<AsyncIterable<Uint8Array>> {
    if (this.#stored.some((file) => file.id === id)) return this.#options.store.open(id);
    throw new NotFoundError(`the request has no file ${id.slice(0, 64)}`);
  }

  /**
   * Deletes the files of a request that starts nothing. The sweeper deletes what remains: it was
   * announced.
   */
  async discard(): Promise<void> {
    if (this.#announced.length > 0) await this.#options.store.delete(this.#announced).catch(() => undefined);
  }

  async #start(id: string): Promise<void> {
    const started = this.#announce(id).then(() => this.#slots.acquire());
    this.#starting.add(started);
    try {
      await started;
    } finally {
      this.#starting.delete(started);
    }
  }

  /** Ids that arrive while a statement runs are part of the next one. */
  #announce(id: string): Promise<void> {
    if (this.#unannounced.push(id) === 1)
      this.#announcement = this.#announcement.catch(() => undefined).then(() => this.#announceAll());
    return this.#announcement;
  }

  async #announceAll(): Promise<void> {
    const ids = this.#unannounced;
    this.#unannounced = [];
    await this.#options.webhookStarts.announce(...ids);
    this.#announced.push(...ids);
  }

  async *#metered(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { maxBytes, executionMaxBytes } = this.#options.caps;
    let size = 0;
    for await (const chunk of content) {
      size += chunk.byteLength;
      this.#bytes += chunk.byteLength;
      if (size > maxBytes) throw new PayloadTooLargeError('a file of the request is too large');
      if (this.#bytes > executionMaxBytes) throw new PayloadTooLargeError('the files of the request are too large');
      yield chunk;
    }
  }
}

/** A semaphore: `count` holders at a time; others wait in order. */
class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async acquire(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
