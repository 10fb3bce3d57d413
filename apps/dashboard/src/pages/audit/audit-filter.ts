/** Filter of the audit log, as in the URL. */
export interface AuditFilter {
  actor?: string;
  object?: string;
  /** One of `ranges`. */
  range?: string;
}

const hour = 3_600_000;
export const ranges: Record<string, { label: string; ms: number }> = {
  '1h': { label: 'Last hour', ms: hour },
  '24h': { label: 'Last 24 hours', ms: 24 * hour },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * hour },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * hour },
};

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
