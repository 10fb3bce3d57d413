import type { Suspension } from '@sluice/domain';

/** Far beyond it no database stores an instant. */
const lastInstant = Date.UTC(9999, 11, 31);

/** What code of a node asks to wait for. Throws a `TypeError` for an instant that nobody could write down: that is the node's failure. */
export function checkedSuspension(given: Suspension): Suspension {
  const at: unknown = 'at' in given ? given.at : undefined;
  if (at === undefined && given.kind !== 'time') return given;
  if (typeof at === 'number' && at <= lastInstant && at >= -lastInstant) return given;
  throw new TypeError(
    `a wait must end at an instant before the year 10,000, in milliseconds since 1970, and not at ${String(at)}`,
  );
}
