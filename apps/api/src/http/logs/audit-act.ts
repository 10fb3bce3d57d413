import { type AuditedAct, type AuditLog, AuditTrail } from '@sluice/db';
import { type ErrorCode, isAppError } from '@sluice/domain';

const deniedCodes: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'LICENSE_REQUIRED']);

/**
 * Runs a user's action and writes its audit log entry: in the action's transaction if it commits
 * one, otherwise after it. A failed action also gets an entry, even if part of it was committed
 * with an earlier entry. With `refused`, a failed action calls it instead.
 */
export async function auditAct<T extends { body: unknown }>(
  act: AuditedAct,
  log: AuditLog,
  work: () => Promise<T>,
  refused?: (code: ErrorCode) => void,
): Promise<T> {
  const trail = new AuditTrail(act);
  try {
    const response = await trail.follow(work);
    if (!trail.written) {
      trail.noteResult(response.body);
      log.record(trail.entry);
    }
    return response;
  } catch (error) {
    const code = isAppError(error) ? error.code : 'INTERNAL_ERROR';
    if (refused) {
      refused(code);
      throw error;
    }
    trail.note({ outcome: deniedCodes.has(code) ? 'denied' : 'failed', details: { code } });
    log.record(trail.entry);
    throw error;
  }
}
