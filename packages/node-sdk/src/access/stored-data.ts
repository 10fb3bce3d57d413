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
