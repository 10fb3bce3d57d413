import type { JsonObject } from '@sluice/domain';

/**
 * Data that a workflow's executions store for later ones: a global part and a part of this node.
 */
export interface StaticDataAccess {
  read(): Promise<{ global: JsonObject; node: JsonObject }>;
  /**
   * Stores the given parts, each as a whole, once the execution succeeds. Discarded if this run
   * fails.
   */
  save(parts: { global?: JsonObject; node?: JsonObject }): void;
}

/** Data that all nodes of a workflow share outside of executions. Absent if it is not stored. */
export interface SharedDataAccess {
  /** A copy of the stored data. */
  read(): Promise<JsonObject>;
  /**
   * Stores the data as a whole: for a poll with its cursor, for a listener with its next event, for
   * a webhook after the request succeeds. The last writer wins. Discarded if the poll or webhook
   * throws, and in a manual test. At most 1 MB of JSON.
   */
  save(next: JsonObject): void;
}

/** Owner of a history: one node, or all nodes of the workflow together. */
export type HistoryScope = 'node' | 'workflow';

/**
 * Kinds of values that a mark compares: numbers, or times in milliseconds. Each scope has one mark
 * of each kind.
 */
export type HistoryMark = 'number' | 'date';

/**
 * Values that a workflow's executions have seen. Writes are atomic: a value is new to exactly one
 * execution.
 */
export interface SeenHistory {
  /**
   * Adds values and returns for each whether it was new; a duplicate is new only once. A scope
   * keeps the `limit` most recently added values.
   */
  add(scope: HistoryScope, values: readonly string[], limit: number, signal: AbortSignal): Promise<readonly boolean[]>;
  /**
   * Returns for each value whether it exceeds the mark, then raises the mark to the maximum.
   * Without a mark, every value exceeds it.
   */
  passMark(scope: HistoryScope, mark: HistoryMark, values: readonly number[], signal: AbortSignal): Promise<readonly boolean[]>;
  /** Deletes the values and marks of a scope. */
  clear(scope: HistoryScope, signal: AbortSignal): Promise<void>;
}

/** A message stored by a memory: its text, without files. */
export interface RememberedMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The messages of one conversation, oldest first. Concurrent executions share it. */
export interface ChatHistory {
  /** The newest `limit` messages; absent: all stored messages. */
  load(limit: number | undefined, signal: AbortSignal): Promise<readonly RememberedMessage[]>;
  /**
   * Adds the messages consecutively. Not retried after a failure, because a retry could add them
   * twice.
   */
  append(messages: readonly RememberedMessage[], signal: AbortSignal): Promise<void>;
  /** Deletes the newest `last` messages; absent: all. */
  clear(last: number | undefined, signal: AbortSignal): Promise<void>;
}
