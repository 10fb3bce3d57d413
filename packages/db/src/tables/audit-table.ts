import type { JsonObject } from '@sluice/domain';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from './workflow-tables.ts';

/** Who did what to which object. Append-only but for what is past its time (triggers refuse everything else); names, never secrets. */
export interface AuditTable {
  id: GeneratedAlways<string>;
  at: Generated<Date>;
  /** Email of the user at that time, or `cli` with the user of the machine. Null: nobody whom a key named. */
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
  /** `denied`: for want of a right. `failed`: for any other reason. */
  outcome: 'success' | 'denied' | 'failed';
  details: Json<JsonObject> | null;
}
