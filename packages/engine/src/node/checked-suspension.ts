import type { Suspension } from '@sluice/domain';

/** The latest time that all databases can store. */
const lastInstant = Date.UTC(9999, 11, 31);

/**
 * Validates the wait that a node requested. Throws a `TypeError`, which fails the node, if the time
 * is out of range.
 */
export function checkedSuspension(suspension: Suspension): Suspension {
  const at: unknown = 'at' in suspension ? suspension.at : undefined;
  if (at === undefined && suspension.kind !== 'time') return suspension;
  if (typeof at === 'number' && at <= lastInstant && at >= -lastInstant) return suspension;
  throw new TypeError(`a wait must end before the year 10,000, at a time in milliseconds since 1970, not at ${String(at)}`);
}
