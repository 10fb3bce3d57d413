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
