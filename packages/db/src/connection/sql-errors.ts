import { ConflictError, codeOf, isAppError, UnavailableError, ValidationError } from '@sluice/domain';

/** SQLSTATE classes and codes after which the same statement may succeed later. */
const unavailableStates = new Set([
  '53300',
  '53400',
  '55006',
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '25006',
  '25P03',
  '25P04',
]);
const unavailableClasses = new Set(['08', '58']);
/** Errors of the connection itself, as Node and pg name them. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Query read timeout)/;
/** No disk space, memory, or configured resource is left. The connection still works. */
const resourceClass = '53';
/**
 * The server is a standby, or its administrator or provider allows no writes, for example because
 * its disk is full.
 */
const readOnlyState = '25006';
/** A statement took longer than its limit. */
const timeoutState = '57014';
/** A statement waited for a lock for longer than the `lock_timeout` of the server or the role. */
const lockTimeoutState = '55P03';
/** Deadlock and serialization failures: the same transaction may succeed when repeated. */
const conflictStates = new Set(['40001', '40P01']);
/**
 * Numbers, encodings, and values that a column cannot hold: an error in the caller's data, not in
 * our statement.
 */
const dataClass = '22';

/** Whether the connection is lost and must not return to the pool. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (networkCodes.has(code) || unavailableStates.has(code) || unavailableClasses.has(code.slice(0, 2))))
    return true;
  return error instanceof Error && connectionMessages.test(error.message);
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

function isForeignKeyViolation(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/**
 * Whether Postgres rolled back a transaction because of another one; also recognizes errors from
 * `translateSqlError`.
 */
export function isTransactionConflict(error: unknown): boolean {
  return conflictStates.has(codeOf(originOf(error)) ?? '');
}

/**
 * Whether Postgres canceled a statement that took too long; also recognizes errors from
 * `translateSqlError`.
 */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(originOf(error)) === timeoutState;
}

function originOf(error: unknown): unknown {
  return isAppError(error) ? error.cause : error;
}

/**
 * Translates errors of pg into errors of the domain; unknown ones are returned unchanged (defects).
 */
export function translateSqlError(error: unknown): unknown {
  if (isAppError(error)) return error;
  if (codeOf(error) === readOnlyState) return new UnavailableError('the database accepts no writes', error);
  if (isConnectionError(error)) return new UnavailableError('the database cannot be reached', error);
  if (codeOf(error)?.startsWith(resourceClass)) return new UnavailableError('the database has no resources left', error);
  if (conflictStates.has(codeOf(error) ?? '')) return new UnavailableError('two transactions conflicted', error);
  if ([timeoutState, lockTimeoutState].includes(codeOf(error) ?? ''))
    return new UnavailableError('the database took too long', error);
  if (isForeignKeyViolation(error)) return new ConflictError('a required resource has been deleted in the meantime');
  if (codeOf(error)?.startsWith(dataClass)) {
    return new ValidationError('a value cannot be stored', '', error);
  }
  return error;
}
