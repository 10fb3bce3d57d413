import type { Generated } from 'kysely';

/** A value that an execution of a workflow has seen. */
export interface SeenValueTable {
  workflow_id: string;
  /** '' for the workflow's own history, else the key of a node. */
  scope: string;
  /** SHA-256 of the value's UTF-8 text. */
  hash: Buffer;
  /** When it was first seen; also orders values that were seen together. */
  seen_at: Generated<Date>;
  position: number;
}

/** The greatest number or timestamp that executions of a workflow have seen. */
export interface SeenMarkTable {
  workflow_id: string;
  /** As in `seen_values`. */
  scope: string;
  kind: 'number' | 'date';
  /** A number; or milliseconds since the epoch. */
  mark: number;
}
