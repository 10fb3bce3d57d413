import type { JsonObject } from '@sluice/domain';

export type AuditOutcome = 'success' | 'denied' | 'failed';

/** Who acts. */
export interface AuditActor {
  /** Email of the user, or `cli:` and the user of the machine; null: unknown. */
  actor: string | null;
  userId: string | null;
  keyId: string | null;
  ip: string | null;
  requestId: string | null;
}

/** One line of the audit log to be. Nothing in it may be secret: ids, names, counts. */
export interface AuditEntry extends AuditActor {
  /** `<object type>.<verb>`: `workflow.create`. */
  action: string;
  objectType: string | null;
  objectId: string | null;
  objectName: string | null;
  projectId: string | null;
  outcome: AuditOutcome;
  details: JsonObject | null;
}

/** A line as it stands in the log. */
export interface AuditRecord extends AuditEntry {
  /** Grows with time. */
  id: string;
  at: Date;
}
