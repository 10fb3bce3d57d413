import { isRange, ranges } from '../../data/time-ranges.ts';

/** Filter of the audit log, as in the URL. */
export interface AuditFilter {
  actor?: string | undefined;
  object?: string | undefined;
  /** One of `ranges`. */
  range?: string | undefined;
}

export function parseFilter({ actor, object, range }: Record<string, string | undefined>): AuditFilter {
  return { ...(actor && { actor }), ...(object && { object }), ...(isRange(range) && { range }) };
}

/** Query of the API. */
export function toQuery({ actor, object, range }: AuditFilter, now: number) {
  const ms = isRange(range) ? ranges[range].ms : undefined;
  return {
    ...(actor && { actor }),
    ...(object && { object }),
    ...(ms !== undefined && { since: new Date(now - ms).toISOString() }),
  };
}
