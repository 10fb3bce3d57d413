const hour = 3_600_000;

/** Time ranges that end now, by their name in the URL and the API. */
export const ranges = {
  '1h': { label: 'Last hour', ms: hour },
  '6h': { label: 'Last 6 hours', ms: 6 * hour },
  '24h': { label: 'Last 24 hours', ms: 24 * hour },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * hour },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * hour },
} as const;

export type Range = keyof typeof ranges;

export const rangeNames = Object.keys(ranges) as Range[];
export const rangeOptions = rangeNames.map((value) => ({ value, label: ranges[value].label }));

export function isRange(text: string | undefined): text is Range {
  return text !== undefined && Object.hasOwn(ranges, text);
}
