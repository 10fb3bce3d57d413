import { convertIcsCalendar } from 'ts-ics';
import type { FormatJson } from './tasks.ts';

/**
 * A calendar with its events, to-dos, journals, and time zones; timestamps are ISO strings in UTC.
 */
export function readCalendar({ text }: { text: string }): FormatJson {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text.replace(/^\uFEFF/, ''))) throw new Error('it does not begin with BEGIN:VCALENDAR');
  // Dates become strings.
  return JSON.parse(JSON.stringify(convertIcsCalendar(undefined, text))) as FormatJson;
}
