import { BinaryNotFoundError, type BinaryStore, describeFile, newBinaryId } from '@sluice/binary-store';
import type { StoredBinary, WebhookStartRepository } from '@sluice/db';
import { type BinaryReference, type Item, isAppError } from '@sluice/domain';
import type { BinaryAccess, BinaryContent, FileDescription } from '@sluice/node-sdk';
import { abortable, chunksOf, openedOnRead } from '../../binary/binary-content.ts';
import { FileBudget, type FileCaps } from '../../binary/file-budget.ts';
import { fileIdsOf } from '../../binary/file-ids.ts';

export interface SourceFilesOptions {
  webhookStarts: Pick<WebhookStartRepository, 'announce'>;
  store: BinaryStore;
  caps: FileCaps;
}

/**
 * Files of a poll or a listener, stored before an execution exists that could reference them. They
 * are registered first, so that no file is left behind.
 */
export class SourceFiles implements Pick<BinaryAccess, 'store' | 'open'> {
  readonly #options: SourceFilesOptions;
  readonly #signal: AbortSignal;
  /** Limit for waiting and unfinished files together: the next execution may have any of them. */
  readonly #budget: FileBudget;
  /** By id; files that do not belong to an execution yet. */
  readonly #waiting = new Map<string, StoredBinary>();
  /** Ids of those that an execution may reference. */
  readonly #maybeHeld = new Set<string>();

  constructor(options: SourceFilesOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#budget = new FileBudget(options.caps, 0);
  }

  async store(content: BinaryContent, description: FileDescription): Promise<BinaryReference> {
    const { webhookStarts, store } = this.#options;
    const file = describeFile(description);
    const id = newBinaryId();
    await webhookStarts.announce(id);
    const chunks = abortable(chunksOf(content), this.#signal);
    const { size } = await this.#budget.count(chunks, (metered) => store.put(id, metered));
    this.#waiting.set(id, { id, fileName: file.fileName ?? null, mimeType: file.mimeType, size });
    return { id, ...file, fileSize: size };
  }

  /** Opens a file that does not belong to an execution yet. Throws `BINARY_NOT_FOUND`. */
  async open({ id }: BinaryReference): Promise<AsyncIterable<Uint8Array>> {
    if (!this.#waiting.has(id)) throw new BinaryNotFoundError(id);
    return openedOnRead(this.#options.store, id, this.#signal);
  }

  /** The files of items that are about to start an execution. */
  of(items: readonly Item[]): StoredBinary[] {
    return fileIdsOf(items).flatMap((id) => this.#waiting.get(id) ?? []);
  }

  /**
   * Runs a commit after which executions may reference these files. If its reply is lost or still
   * pending, `discard` leaves the files to the sweeper, which can tell; they remain usable.
   */
  async commit<T>(files: readonly StoredBinary[], work: () => Promise<T>): Promise<T> {
    const certain = files.filter(({ id }) => !this.#maybeHeld.has(id));
    for (const { id } of certain) this.#maybeHeld.add(id);
    const settled = () => {
      for (const { id } of certain) this.#maybeHeld.delete(id);
    };
    try {
      const result = await work();
      settled();
      return result;
    } catch (error) {
      if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') settled();
      throw error;
    }
  }

  /** Executions reference these files now. */
  referenced(files: readonly StoredBinary[]): void {
    this.#forget(files);
  }

  /** Deletes files that do not belong to an execution. Failed deletions are repeated later. */
  async discard(): Promise<void> {
    const remaining = [...this.#waiting.values()];
    const ids = remaining.map(({ id }) => id).filter((id) => !this.#maybeHeld.has(id));
    if (ids.length > 0) await this.#options.store.delete(ids).catch(() => undefined);
    this.#forget(remaining);
  }

  #forget(files: readonly StoredBinary[]): void {
    for (const { id, size } of files) {
      if (this.#waiting.delete(id)) this.#budget.release(size);
      this.#maybeHeld.delete(id);
    }
  }
}
