const wholeDate = /^\d{4}-\d\d(?:-\d\d)?$/;
const localDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const ownZone = /:\d\d(?:\.\d+)?\s*(?:Z|[+-]\d\d)|\b(?:UTC?|GMT|[ECMP][SD]T)\b/i;

/**
 * Like `Date.parse`, but text without a time zone is in UTC, regardless of the time zone of the
 * process.
 */
export function parseInUtc(text: string): number {
  if (localDateTime.test(text)) return Date.parse(`${text}Z`);
  return Date.parse(wholeDate.test(text) || ownZone.test(text) ? text : `${text} UTC`);
}
