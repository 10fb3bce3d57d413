import { type BinaryReference, type ExecuteContext, errorMessage, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import type { ICalCalendar, ICalEventBusyStatus, ICalEventData, ICalEventStatus } from 'ical-generator';
import { DateTime } from 'luxon';
import { storeBinary } from '../shared/binary-files.ts';
import { coercedText } from '../shared/coerced-text.ts';
import {
  booleanParameter,
  choiceParameter,
  describeValue,
  listParameter,
  numberParameter,
  textParameter,
} from '../shared/parameters.ts';
import { parseDate } from '../shared/parse-date.ts';

const more = 'additionalFields';

/** How often subscribers check for changes. */
const refreshSeconds = 3600;

const statuses = ['CONFIRMED', 'CANCELLED', 'TENTATIVE'] as const;

/**
 * Stores an iCalendar file with one event, by the parameters of `calendarProperties`. Times are
 * written in UTC.
 */
export async function storeCalendar(context: ExecuteContext, itemIndex: number): Promise<BinaryReference> {
  const { default: createCalendar, ICalCalendarMethod } = await import('ical-generator');
  const optional = (name: string) => textParameter(context, `${more}.${name}`, itemIndex).trim();
  const calName = optional('calName');
  const calendar = createCalendar({
    prodId: '-//Sluice//Calendar//EN',
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
    ...(calName && { name: calName }),
  });
  const event = { ...times(context, itemIndex), ...texts(context, itemIndex), ...people(context, itemIndex) };
  const bytes = written(calendar, event, itemIndex);
  return storeBinary(context, itemIndex, bytes, { fileName: optional('fileName') || 'event.ics', mimeType: 'text/calendar' });
}

/** The library checks an event's fields, such as its busy status, while it writes the event. */
function written(calendar: ICalCalendar, event: ICalEventData, itemIndex: number): Buffer {
  try {
    calendar.createEvent(event);
    return Buffer.from(calendar.toString());
  } catch (cause) {
    throw new NodeOperationError(`the event cannot be written: ${errorMessage(cause)}`, {
      itemIndex,
      description: 'Check the fields of the event',
      cause,
    });
  }
}

function times(context: ExecuteContext, itemIndex: number): Pick<ICalEventData, 'allDay' | 'end' | 'start'> {
  const zone = booleanParameter(context, `${more}.useWorkflowTimezone`, itemIndex, false) ? context.workflow.timezone : 'UTC';
  const start = dateParameter(context, 'start', zone, itemIndex);
  const end = dateParameter(context, 'end', zone, itemIndex);
  if (end < start)
    throw new NodeOperationError('the event ends before it begins', {
      itemIndex,
      description: 'Check "start" and "end"; an expression may have swapped them',
    });
  if (!booleanParameter(context, 'allDay', itemIndex, false)) return { start: start.toJSDate(), end: end.toJSDate() };
  // The format's end date is the day after the last day.
  return { allDay: true, start: dayOf(start), end: dayOf(end.plus({ days: 1 })) };
}

function dateParameter(context: ExecuteContext, name: string, zone: string, itemIndex: number): DateTime {
  const value = context.parameter(name, itemIndex, '');
  const milliseconds = parseDate(value, zone);
  if (milliseconds !== undefined) return DateTime.fromMillis(milliseconds, { zone });
  throw new NodeOperationError(`the parameter "${name}" must be a date, but is ${describeValue(value)}`, {
    itemIndex,
    description: 'Write it as 2024-01-31 or 2024-01-31T13:45:00',
  });
}

function dayOf({ year, month, day }: DateTime): Date {
  return DateTime.utc(year, month, day).toJSDate();
}

function texts(context: ExecuteContext, itemIndex: number): Partial<ICalEventData> {
  const optional = (name: string) => textParameter(context, `${more}.${name}`, itemIndex).trim();
  const rule = optional('recurrenceRule').replace(/^RRULE:/i, '');
  if (/[\r\n]/.test(rule))
    throw new NodeOperationError('the recurrence rule must be one line', {
      itemIndex,
      description: 'Write one rule, such as FREQ=WEEKLY;COUNT=10',
    });
  const busyStatus = optional('busyStatus');
  const [id, description, url] = [oneLine(optional('uid')), optional('description'), oneLine(optional('url'))];
  if (url && !URL.canParse(url))
    throw new NodeOperationError(`the URL of the event, ${describeValue(url)}, is not valid`, {
      itemIndex,
      description: 'Use the complete URL, such as https://example.com/event',
    });
  const location = locationOf(context, itemIndex, optional('location'));
  const status = optional('status') && choiceParameter(context, `${more}.status`, itemIndex, statuses, 'CONFIRMED');
  return {
    summary: textParameter(context, 'title', itemIndex),
    ...(status && { status: status as ICalEventStatus }),
    sequence: Math.max(0, Math.trunc(numberParameter(context, `${more}.sequence`, itemIndex, 0))),
    ...(busyStatus && { busystatus: busyStatus as ICalEventBusyStatus }),
    ...(description && { description }),
    ...(id && { id }),
    ...(location && { location }),
    ...(rule && { repeating: rule }),
    ...(url && { url }),
  };
}

function locationOf(context: ExecuteContext, itemIndex: number, title: string): ICalEventData['location'] {
  const [place] = listParameter(context, `${more}.geolocationUi.geolocationValues`, itemIndex);
  const [lat, lon] = [Number(place?.['lat'] || Number.NaN), Number(place?.['lon'] || Number.NaN)];
  const geo = Number.isFinite(lat) && Number.isFinite(lon) ? { geo: { lat, lon } } : undefined;
  if (title) return { title, ...geo };
  return geo ?? null;
}

function people(context: ExecuteContext, itemIndex: number): Partial<ICalEventData> {
  const attendees = listParameter(context, `${more}.attendeesUi.attendeeValues`, itemIndex);
  const [organizer] = listParameter(context, `${more}.organizerUi.organizerValues`, itemIndex);
  return {
    attendees: attendees.map((attendee) => ({ ...personOf(attendee), rsvp: attendee['rsvp'] === true })),
    ...(organizer && { organizer: personOf(organizer) }),
  };
}

function personOf({ name, email }: JsonObject): { name: string; email: string } {
  const address = oneLine(coercedText(email));
  return { name: oneLine(coercedText(name)) || address, email: address };
}

/** A line break would start another property of the file. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
