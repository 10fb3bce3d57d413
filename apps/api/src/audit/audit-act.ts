import { type AuditedAct, type AuditLog, AuditTrail } from '@sluice/db';
import { type ErrorCode, isAppError } from '@sluice/domain';

const deniedCodes: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'LICENSE_REQUIRED']);

/**
 * Runs an action of a user and writes its line of the audit log: in the transaction of the action if it
 * commits one, or else after it. A failed action also gets a line, even if a part of it was committed
 * with an earlier one. With `refused`, a failed action gets no line but calls it.
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
