import type { JsonObject } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { Json } from './workflow-tables.ts';

/** What a node of a workflow has at a remote service, or has to give up there. It outlives its workflow. */
export interface RegistrationTable {
  id: Generated<string>;
  workflow_id: string;
  /** Of the workflow when it was registered. */
  project_id: string;
  node_name: string;
  /** `webhook:<name>`, or `hooks`. */
  name: string;
  /** `RegistrationSubject`: the node as it was registered. */
  subject: Json<JsonObject>;
  /** As `subject`: what an activation was about to make in its place, and may have made; null: nothing. */
  begun: Json<JsonObject> | null;
  /** What the node keeps for it. */
  data: Json<JsonObject>;
  /** Whether it should be there: false until the activation has been committed, and from the end of that on. */
  wanted: boolean;
  /** When a worker has to bring about what is wanted; null: it is so. */
  due_at: Date | null;
  /** Who is at it, an activation or a worker; counts until `held_until`. */
  held_by: string | null;
  held_until: Date | null;
  /** How often in a row a worker has failed. */
  failures: Generated<number>;
  last_error: string | null;
  /** When it was last activated; null: not since there is this column. */
  wanted_at: Date | null;
  /** Since when it is not wanted any more. */
  unwanted_at: Date | null;
  created_at: Generated<Date>;
}
