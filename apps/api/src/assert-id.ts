import { isId, NotFoundError, shownId } from '@sluice/domain';

/**
 * Throws `NotFoundError` for a malformed id, so that it never reaches the database, or a log in full.
 * `what`: kind of object.
 */
export function assertId(
  what: 'credential' | 'data table' | 'event subscription' | 'delivery' | 'tag' | 'version' | 'workflow',
  id: string,
): void {
  if (!isId(id)) throw new NotFoundError(`${what} ${shownId(id)} does not exist`);
}
