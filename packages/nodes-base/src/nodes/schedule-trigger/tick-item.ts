import type { Item } from '@sluice/node-sdk';
import { DateTime } from 'luxon';

/**
 * Item of an execution: the time of the tick, and its parts in the workflow's time zone as text.
 */
export function tickItem(at: Date, timezone: string): Item {
  const time = DateTime.fromJSDate(at).setZone(timezone).setLocale('en-US');
  const clock = time.toFormat('h:mm:ss a').toLowerCase();
  return {
    json: {
      timestamp: time.toISO(),
      'Readable date': `${time.toFormat('MMMM')} ${time.day}${ordinalEnding(time.day)} ${time.toFormat('yyyy')}, ${clock}`,
      'Readable time': clock,
      'Day of week': time.toFormat('EEEE'),
      Year: time.toFormat('yyyy'),
      Month: time.toFormat('MMMM'),
      'Day of month': time.toFormat('dd'),
      Hour: time.toFormat('HH'),
      Minute: time.toFormat('mm'),
      Second: time.toFormat('ss'),
      Timezone: `${timezone} (UTC${time.toFormat('ZZ')})`,
    },
  };
}

function ordinalEnding(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}
