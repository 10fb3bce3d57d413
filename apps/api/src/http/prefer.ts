/** Longest wait that a caller may ask for, in milliseconds. */
const maxWaitMs = 600_000;

/**
 * How long to wait for a run, in milliseconds, by the `Prefer` header (RFC 7240): `respond-async`, or `wait=<seconds>`. `undefined`
 * where it does not say, or says it badly, as the RFC asks; parameters of a preference say nothing here.
 */
export function preferredWaitMs(header: string | undefined): number | undefined {
  const preferences = (header ?? '').split(',').map((preference) => (preference.split(';')[0] ?? '').trim().toLowerCase());
  if (preferences.includes('respond-async')) return 0;
  const wait = preferences
    .map((preference) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(preference)?.[1])
    .find((found) => found !== undefined);
  return wait === undefined ? undefined : Math.min(Number(wait) * 1000, maxWaitMs);
}
