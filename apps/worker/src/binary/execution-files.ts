import { buffer } from 'node:stream/consumers';
import { BinaryNotFoundError, type BinaryStore, type DescribedFile, describeFile, newBinaryId } from '@sluice/binary-store';
import type { BinaryRepository, StoredBinary } from '@sluice/db';
import {
  type BinaryReference,
  dataSize,
  type ExecutionId,
  type Item,
  type MemoryReservation,
  untilAvailable,
} from '@sluice/domain';
import type { BinaryAccess, BinaryContent, FileDescription } from '@sluice/node-sdk';
import type { LateClaim } from '../claims/late-claim.ts';
import { ExecutionLostError } from '../claims/late-claim.ts';
import { abortable, chunksOf, openedOnRead } from './binary-content.ts';
import { BinaryTooLargeError, FileBudget, type FileCaps } from './file-budget.ts';
import { fileIdsOf, withFiles } from './file-ids.ts';

interface ExecutionFilesOptions {
  binaries: BinaryRepository;
  store: BinaryStore;
  caps: FileCaps;
  /** Throws if the project is over its storage quota; default: never. */
  assertCapacity?: () => void;
  /** Makes this worker own the execution before it stores or adopts a file. */
  claim: Pick<LateClaim, 'ensure'>;
  /** Memory for the execution's data, which includes files that its nodes read as a whole. */
  memory: Pick<MemoryReservation, 'receive'>;
}

/**
 * The files of one execution. The row is inserted first, then the bytes are stored, then their size
 * is set in the row. An interruption leaves a row without a size, which the sweeper removes after
 * the execution has ended.
 */
export class ExecutionFiles implements BinaryAccess {
  readonly #options: ExecutionFilesOptions;
  readonly #executionId: ExecutionId;
  readonly #signal: AbortSignal;
  #budget: Promise<FileBudget> | undefined;

  /** `signal`: aborts storing and reading. */
  constructor(options: ExecutionFilesOptions, executionId: ExecutionId, signal: AbortSignal) {
    this.#options = options;
    this.#executionId = executionId;
    this.#signal = signal;
  }

  /**
   * The items with which a parent called the execution, or that its sub-executions returned. It
   * references their files from now on: a file is kept as long as any execution references it.
   * References that the other execution could not read are removed: it may have made them up, to
   * read a file of this project.
   */
  async adopt(lists: Item[][], from: 'parent' | 'children'): Promise<Item[][]> {
    const ids = fileIdsOf(lists.flat());
    if (ids.length === 0) return lists;
    await this.#options.claim.ensure();
    const { binaries } = this.#options;
    const adopted = await untilAvailable(() => binaries.adopt(ids, this.#executionId, from), this.#signal);
    if (adopted.length === ids.length) return lists;
    const adoptedIds = new Set(adopted);
    return lists.map((items) => withFiles(items, adoptedIds));
  }

  async store(content: BinaryContent, description: FileDescription): Promise<BinaryReference> {
    this.#options.assertCapacity?.();
    const file = describeFile(description);
    const id = newBinaryId();
    const budget = await this.#readBudget();
    await this.#begin(id, file);
    try {
      const chunks = abortable(chunksOf(content), this.#signal);
      const { size } = await budget.count(chunks, (metered) => this.#options.store.put(id, metered));
      await this.#complete(id, size);
      return { id, ...file, fileSize: size };
    } catch (error) {
      await this.#discard(id);
      throw error;
    }
  }

  async read(reference: BinaryReference, maxBytes = this.#options.caps.maxBytes): Promise<Uint8Array> {
    const { id, size } = await this.#find(reference);
    if (size > maxBytes) throw new BinaryTooLargeError('the file', maxBytes);
    await this.#options.memory.receive(dataSize(size));
    return buffer(openedOnRead(this.#options.store, id, this.#signal));
  }

  async open(reference: BinaryReference): Promise<AsyncIterable<Uint8Array>> {
    const { id } = await this.#find(reference);
    return openedOnRead(this.#options.store, id, this.#signal);
  }

  async #find(reference: BinaryReference): Promise<StoredBinary> {
    const id = String(reference?.id);
    const file = await untilAvailable(() => this.#options.binaries.findReadable(id, this.#executionId), this.#signal);
    if (!file) throw new BinaryNotFoundError(id);
    return file;
  }

  #readBudget(): Promise<FileBudget> {
    const { binaries, caps } = this.#options;
    this.#budget ??= untilAvailable(() => binaries.countBytes(this.#executionId), this.#signal).then(
      (used) => new FileBudget(caps, used),
    );
    return this.#budget;
  }

  async #begin(id: string, { fileName, mimeType }: DescribedFile): Promise<void> {
    await this.#options.claim.ensure();
    const row = { id, executionId: this.#executionId, fileName: fileName ?? null, mimeType };
    if (!(await untilAvailable(() => this.#options.binaries.begin(row), this.#signal)))
      throw new ExecutionLostError({ executionId: this.#executionId });
  }

  async #complete(id: string, size: number): Promise<void> {
    const completed = untilAvailable(() => this.#options.binaries.complete(id, this.#executionId, size), this.#signal);
    if (!(await completed)) throw new ExecutionLostError({ executionId: this.#executionId });
  }

  /** Best effort: the sweeper handles failures. */
  async #discard(id: string): Promise<void> {
    const { binaries, store } = this.#options;
    await Promise.allSettled([store.delete([id])]);
    await Promise.allSettled([binaries.abandon(id, this.#executionId)]);
  }
}
