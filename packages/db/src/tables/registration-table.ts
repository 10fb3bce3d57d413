import type { JsonObject } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { Json } from './workflow-tables.ts';

/**
 * A resource that a node has registered at a remote service, or that is to be removed there. It
 * outlives its workflow.
 */
export interface RegistrationTable {
  id: Generated<string>;
  workflow_id: string;
  /** The workflow's project at the registration. */
  project_id: string;
  node_name: string;
  /** `webhook:<name>`, or `hooks`. */
  name: string;
  /** `RegistrationSubject`: the node as it was registered. */
  subject: Json<JsonObject>;
  /**
   * Like `subject`: the replacement that an activation was about to register, and may have
   * registered, if any.
   */
  begun: Json<JsonObject> | null;
  /** The node's data for it. */
  data: Json<JsonObject>;
  /**
   * Whether it should exist: false until the activation commits, and again after the registration
   * is no longer needed.
   */
  wanted: boolean;
  /** When a worker has to apply the wanted state; null: it is applied. */
  due_at: Date | null;
  /** The activation or worker that is changing it; valid until `held_until`. */
  held_by: string | null;
  held_until: Date | null;
  /** Number of consecutive failures of workers. */
  failures: Generated<number>;
  last_error: string | null;
  /**
   * When it was last activated, or applied at the service; null if not since this column was added.
   */
  wanted_at: Date | null;
  /** When it became unwanted. */
  unwanted_at: Date | null;
  created_at: Generated<Date>;
}
