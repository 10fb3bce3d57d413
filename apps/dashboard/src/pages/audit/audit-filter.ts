import { ranges } from '../../data/time-ranges.ts';

/** Filter of the audit log, as in the URL. */
export interface AuditFilter {
  actor?: string | undefined;
  object?: string | undefined;
  /** One of `ranges`. */
  range?: string | undefined;
}

export function parseFilter({ actor, object, range }: Record<string, string | undefined>): AuditFilter {
  return { ...(actor && { actor }), ...(object && { object }), ...(range && Object.hasOwn(ranges, range) && { range }) };
}

/** Query of the API. */
export function toQuery({ actor, object, range }: AuditFilter, now: number) {
  const ms = range === undefined ? undefined : ranges[range]?.ms;
  return {
    ...(actor && { actor }),
    ...(object && { object }),
    ...(ms !== undefined && { since: new Date(now - ms).toISOString() }),
  };
}
