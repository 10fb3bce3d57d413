import {
  type DataTableAccess,
  type DataTableInfo,
  type DataTableRow,
  type ExecuteContext,
  type FoundDocument,
  isAppError,
  type JsonObject,
  NodeOperationError,
  stringifyJson,
  TimeSlice,
} from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';
import type { StoreClient, VectorEntry, VectorSearch } from '../../shared/vector-store.ts';

/** Maximum number of documents in a store: a search reads all of them. */
const maxDocuments = 5_000;
/** Maximum length of a memory key; the table name contains it. */
const maxKey = 100;
/** Rows per request. */
const pageSize = 250;
const all = { type: 'and', filters: [] } as const;
const columns = ['text', 'metadata', 'vector'].map((name) => ({ name, type: 'string' as const }));

/**
 * Documents in a data table of the project, which every worker can read. Vectors are 32-bit floats
 * in base64. A search compares all of them.
 */
export class ProjectVectors implements StoreClient {
  /** Table name. */
  readonly target: string;
  readonly #tables: DataTableAccess;
  readonly #signal: AbortSignal;
  readonly #itemIndex: number;

  constructor(context: ExecuteContext, itemIndex: number, key: string) {
    if (!context.dataTables)
      throw new NodeOperationError('the store needs data tables, which this run does not have', { itemIndex });
    if (key.length > maxKey)
      throw new NodeOperationError(`a memory key has at most ${maxKey} characters`, { itemIndex, description: 'Shorten it' });
    this.#tables = context.dataTables;
    this.#signal = context.signal;
    this.#itemIndex = itemIndex;
    this.target = `Vectors: ${key}`;
  }

  async clear(): Promise<void> {
    const table = await this.#find();
    if (table) await this.#tables.clear(table.id, this.#signal);
  }

  async insert(entries: readonly VectorEntry[]): Promise<void> {
    const { id, rowCount: count } = (await this.#find()) ?? (await this.#create());
    if (count + entries.length > maxDocuments)
      throw new NodeOperationError(`the store can have at most ${maxDocuments} documents, and already has ${count}`, {
        itemIndex: this.#itemIndex,
        description: 'Clear it, use larger chunks, or use another vector store',
      });
    for (let at = 0; at < entries.length; at += pageSize)
      await this.#tables.insert(id, await this.#toRows(entries.slice(at, at + pageSize)), this.#signal);
  }

  async #toRows(entries: readonly VectorEntry[]): Promise<Record<string, string>[]> {
    const rows: Record<string, string>[] = [];
    const slice = new TimeSlice();
    for (const { text, metadata, vector } of entries) {
      if (slice.isOver) await slice.next();
      const written = { metadata: await stringifyJson(metadata, { signal: this.#signal }), vector: toText(vector) };
      rows.push({ text: text.replaceAll('\0', ' ').toWellFormed(), ...written });
    }
    return rows;
  }

  async search({ vector, topK, filter }: VectorSearch): Promise<FoundDocument[]> {
    const table = await this.#find();
    let best: FoundDocument[] = [];
    const slice = new TimeSlice();
    for await (const row of table ? this.#rows(table) : []) {
      if (slice.isOver) await slice.next();
      if (best.length >= topK + pageSize) best = nearest(best, topK);
      const metadata = JSON.parse(stringOf(row['metadata'])) as JsonObject;
      if (!Object.entries(filter).every(([name, value]) => metadata[name] === value)) continue;
      best.push({ text: stringOf(row['text']), metadata, score: this.#similarity(vector, read(stringOf(row['vector']))) });
    }
    return nearest(best, topK);
  }

  /** Cosine of the angle between the vectors. */
  #similarity(a: readonly number[], b: Float32Array): number {
    if (a.length !== b.length)
      throw new NodeOperationError(`the store has vectors of length ${b.length}, not ${a.length}`, {
        itemIndex: this.#itemIndex,
        description: 'Use the embedding model that filled the store, or clear it',
      });
    let [product, lengthA, lengthB] = [0, 0, 0];
    for (const [index, value] of a.entries()) {
      const other = b[index] ?? 0;
      product += value * other;
      lengthA += value * value;
      lengthB += other * other;
    }
    return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB);
  }

  async #find(): Promise<DataTableInfo | undefined> {
    try {
      return await this.#tables.find({ name: this.target }, this.#signal);
    } catch (error) {
      if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  async #create(): Promise<DataTableInfo> {
    try {
      return await this.#tables.create(this.target, columns);
    } catch (error) {
      // Another run has created the table in the meantime.
      const table = isAppError(error) && error.code === 'CONFLICT' ? await this.#find() : undefined;
      if (table) return table;
      throw error;
    }
  }

  /** Keeps one page in memory at a time: all vectors together may take 100 MB. */
  async *#rows({ id }: DataTableInfo): AsyncGenerator<DataTableRow> {
    let count = 0;
    for (let after: number | null = 0; after !== null && count <= maxDocuments; ) {
      const { rows, next } = await this.#tables.rows(id, all, { limit: pageSize, after }, this.#signal);
      yield* rows;
      count += rows.length;
      after = next;
    }
  }
}

function nearest(documents: readonly FoundDocument[], topK: number): FoundDocument[] {
  return documents.toSorted((a, b) => b.score - a.score).slice(0, topK);
}

function toText(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

function read(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer, 0, bytes.length / 4);
}
