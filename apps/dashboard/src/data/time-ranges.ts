const hour = 3_600_000;
/** Ranges of time that end now, by their name in the URL. */
export const ranges: Record<string, { label: string; ms: number }> = {
  '1h': { label: 'Last hour', ms: hour },
  '24h': { label: 'Last 24 hours', ms: 24 * hour },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * hour },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * hour },
};
