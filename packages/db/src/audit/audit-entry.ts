import type { JsonObject } from '@sluice/domain';

type AuditOutcome = 'success' | 'denied' | 'failed';

/** The user or process that acts. */
export interface AuditActor {
  /** Email of the user, or `cli:` and the user name on the machine; null if unknown. */
  actor: string | null;
  userId: string | null;
  keyId: string | null;
  ip: string | null;
  requestId: string | null;
}

/** An audit log line to be written. It contains no secrets: only ids, names, and counts. */
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

/** A stored audit log line. */
export interface AuditRecord extends AuditEntry {
  /** Increases with time. */
  id: string;
  at: Date;
}

/**
 * The audit line of a process start: the names of the settings that differ from their defaults,
 * never their values.
 */
export function processStart(name: 'api' | 'worker', changedSettings: readonly string[]): AuditEntry {
  return {
    actor: name,
    userId: null,
    keyId: null,
    ip: null,
    requestId: null,
    action: 'process.start',
    objectType: 'process',
    objectId: null,
    objectName: name,
    projectId: null,
    outcome: 'success',
    details: { settings: [...changedSettings] },
  };
}
