import type { JsonObject } from '@sluice/domain';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from './workflow-tables.ts';

/**
 * The audit log. Append-only (enforced by triggers) except for deletion by age; contains names,
 * never secrets.
 */
export interface AuditTable {
  id: GeneratedAlways<string>;
  at: Generated<Date>;
  /**
   * Email of the user at that time, or `cli` with the user name on the machine. Null without an
   * authenticated user.
   */
  actor: string | null;
  user_id: string | null;
  key_id: string | null;
  ip: string | null;
  request_id: string | null;
  /** `workflow.create`, `auth.failure`, … */
  action: string;
  object_type: string | null;
  object_id: string | null;
  object_name: string | null;
  project_id: string | null;
  /** `denied`: for lack of permission. `failed`: for any other reason. */
  outcome: 'success' | 'denied' | 'failed';
  details: Json<JsonObject> | null;
}
