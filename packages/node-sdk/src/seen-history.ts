/** Whose history: that of one node, or one that all nodes of the workflow share. */
export type HistoryScope = 'node' | 'workflow';

/** What a mark compares: numbers, or instants in milliseconds. Each scope has one mark of each kind. */
export type HistoryMark = 'number' | 'date';

/** Values that executions of a workflow have seen, across executions. Its writes are atomic: two executions never both see a value first. */
export interface SeenHistory {
  /** Adds values and tells of each whether it was new; a value that comes twice is new once. Of a scope the `limit` values stay that were new last. */
  add(scope: HistoryScope, values: readonly string[], limit: number, signal: AbortSignal): Promise<readonly boolean[]>;
  /** Tells of each value whether it lies above the mark, and raises the mark to the greatest. Above no mark lies everything. */
  passMark(scope: HistoryScope, mark: HistoryMark, values: readonly number[], signal: AbortSignal): Promise<readonly boolean[]>;
  /** Forgets the values and marks of a scope. */
  clear(scope: HistoryScope, signal: AbortSignal): Promise<void>;
}
