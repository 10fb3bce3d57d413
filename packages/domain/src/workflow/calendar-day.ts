/**
 * Whether `YYYY-MM-DD` is a day of the calendar: `Date` moves February 30 to March. Year 0 is
 * invalid, as in Postgres.
 */
export function isCalendarDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const start = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text);
}
