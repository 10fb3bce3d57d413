import type { JsonObject, TriggerSpec } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { Json } from './workflow-tables.ts';

/** A trigger of an active workflow: one row per event source of a node of its active version. */
export interface TriggerTable {
  id: Generated<string>;
  workflow_id: string;
  node_name: string;
  /** Distinguishes the event sources of one node. */
  ordinal: number;
  kind: TriggerSpec['kind'];
  spec: Json<TriggerSpec>;
  /** State of the trigger; its shape depends on the kind. */
  state: Json<JsonObject> | null;
  /** When the trigger is due next, to the millisecond; null if it is not due by time. */
  next_at: Date | null;
  /** The trigger does not run before this time, even if it is due. */
  retry_at: Date | null;
  /** Number of consecutive failures. */
  failures: Generated<number>;
  /** Error of the last failure; null after a success. */
  last_error: string | null;
  /** The execution that it started last; it may have been deleted. */
  last_execution_id: string | null;
  /** When it got its current `spec`. */
  created_at: Generated<Date>;
}

/**
 * State of polls and listeners, and the worker that currently runs each. A row is kept when its
 * workflow is deactivated; its `triggers` row is not.
 */
export interface TriggerSourceTable {
  workflow_id: string;
  node_name: string;
  ordinal: number;
  /** Identifies the node after a rename; null: unknown. */
  node_id: string | null;
  /** Fingerprint of the node's type, parameters, and credentials, to which the cursor belongs. */
  fingerprint: string;
  /**
   * The node's type if it is from an installed package, as in `worker_types`; null if it is not, or
   * if unknown.
   */
  foreign_type: string | null;
  /** JSON, encoded by `codec.ts`; null: no state. */
  cursor: Buffer | null;
  /**
   * Token required for its writes: a new id each time a worker claims it. Null if no worker has it.
   */
  hold_id: string | null;
  /** For operators only. */
  worker_id: string | null;
  /** Database time after which any worker may take it. */
  held_until: Date | null;
  /** When it last polled, started to listen, or started an execution. */
  last_success_at: Date | null;
}
