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
  /** When it is due next, to the millisecond; null if it is not due by time. */
  next_at: Date | null;
  /** It does not run before this time, even if it is due. */
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
