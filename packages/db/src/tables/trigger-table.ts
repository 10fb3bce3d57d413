import type { JsonObject, TriggerSpec } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { Json } from './workflow-tables.ts';

/** What an active workflow is started by: one row for each thing that a node of its active version listens to. */
export interface TriggerTable {
  id: Generated<string>;
  workflow_id: string;
  node_name: string;
  /** Tells apart what one node listens to. */
  ordinal: number;
  kind: TriggerSpec['kind'];
  spec: Json<TriggerSpec>;
  /** What it knows of what has happened; its shape is that of the kind. */
  state: Json<JsonObject> | null;
  /** When it is due next, to the millisecond; null: not by time. */
  next_at: Date | null;
  /** It is left alone until then, though it may be due. */
  retry_at: Date | null;
  /** How often in a row it has failed. */
  failures: Generated<number>;
  /** Of the last failure; null after a success. */
  last_error: string | null;
  /** The execution that it started last; it may be gone. */
  last_execution_id: string | null;
  /** Since when it listens as `spec` says. */
  created_at: Generated<Date>;
}
