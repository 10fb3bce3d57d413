import type { ExecuteContext, FoundDocument, JsonObject, TextDocument } from '@sluice/node-sdk';

/** A document with its vector. */
export interface VectorEntry extends TextDocument {
  id: string;
  vector: readonly number[];
}

export interface VectorSearch {
  vector: readonly number[];
  topK: number;
  /** Required metadata values; or a filter in the store's format. */
  filter: JsonObject;
}

/** A collection of a vector database, opened for one item of a node. */
export interface StoreClient {
  /** Name of the part that `clear` empties; each part is cleared once per run. */
  readonly target?: string;
  /** Called once before the first `insert` of an item. */
  prepare?(dimensions: number): Promise<void>;
  /** Deletes all documents. */
  clear?(): Promise<void>;
  insert(entries: readonly VectorEntry[]): Promise<void>;
  /** Nearest first. */
  search(search: VectorSearch): Promise<readonly FoundDocument[]>;
  close?(): Promise<void>;
}

export type OpenStore = (context: ExecuteContext, itemIndex: number) => Promise<StoreClient> | StoreClient;
