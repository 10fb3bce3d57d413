import type { AuditEntry } from './audit-entry.ts';

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
