import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { filledFields, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { calendarOf, dateIn, eventsPath, timeZoneOf } from './google-calendar-client.ts';

/** Query parameters of a request that writes an event. */
export function writeQuery(item: ServiceItem, fields: string): Record<string, JsonValue | undefined> {
  return {
    conferenceDataVersion: item.entries(`${fields}.conferenceDataUi.conferenceDataValues`).length > 0 ? '1' : undefined,
    maxAttendees: item.number(`${fields}.maxAttendees`, 0) || undefined,
    sendUpdates: item.optional(`${fields}.sendUpdates`),
  };
}

/** Paths of the start and end, and of the other fields. */
interface EventPaths {
  start: string;
  end: string;
  fields: string;
}

/**
 * The event from the parameters:
 * https://developers.google.com/workspace/calendar/api/v3/reference/events#resource
 */
export async function eventOf(item: ServiceItem, { start, end, fields }: EventPaths): Promise<JsonObject> {
  const text = (name: string) => item.optional(`${fields}.${name}`);
  const flag = (name: string) => item.context.parameter<JsonValue>(`${fields}.${name}`, item.index) !== undefined;
  const recurrence = await recurrenceOf(item, fields);
  return filledFields({
    start: await momentOf(item, start, fields),
    end: await momentOf(item, end, fields),
    summary: text('summary'),
    description: text('description'),
    location: text('location'),
    id: text('id'),
    colorId: text('color'),
    visibility: text('visibility'),
    transparency: text('showMeAs'),
    recurrence: recurrence === undefined ? undefined : [recurrence],
    conferenceData: conferenceOf(item, fields),
    ...Object.fromEntries(
      ['guestsCanInviteOthers', 'guestsCanModify', 'guestsCanSeeOtherGuests']
        .filter(flag)
        .map((name) => [name, item.toggle(`${fields}.${name}`)]),
    ),
  });
}

/** A day, or a time with the time zone that recurrences follow. */
async function momentOf(item: ServiceItem, path: string, fields: string): Promise<JsonObject | undefined> {
  const time = await item.time(path);
  if (!time) return undefined;
  const timeZone = timeZoneOf(item, `${fields}.timezone`) ?? item.context.workflow.timezone;
  if (item.text(`${fields}.allday`, 'no') !== 'yes') return { dateTime: time.toISOString(), timeZone };
  const [written] = /^\d{4}-\d{2}-\d{2}/.exec(item.text(path)) ?? [];
  return { date: written ?? dateIn(time, timeZone) };
}

async function recurrenceOf(item: ServiceItem, fields: string): Promise<string | undefined> {
  const rule = item.text(`${fields}.rrule`).trim();
  if (rule !== '') return rule.startsWith('RRULE:') ? rule : `RRULE:${rule}`;
  const frequency = item.text(`${fields}.repeatFrecuency`);
  if (frequency === '') return undefined;
  const count = item.number(`${fields}.repeatHowManyTimes`, 0);
  const until = await item.time(`${fields}.repeatUntil`);
  if (count > 0 && until)
    throw item.error('an event repeats a number of times, or until a time', 'Remove one of the two fields');
  return [
    `RRULE:FREQ=${frequency.toUpperCase()}`,
    ...(count > 0 ? [`COUNT=${count}`] : []),
    ...(until ? [`UNTIL=${until.toISOString().replace(/[-:]|\.\d+/g, '')}`] : []),
  ].join(';');
}

/** Google creates one conference for each request ID. */
function conferenceOf(item: ServiceItem, fields: string): JsonObject | undefined {
  const [conference] = item.entries(`${fields}.conferenceDataUi.conferenceDataValues`);
  if (!conference) return undefined;
  const type = textOf(conference['conferenceSolution']) || 'hangoutsMeet';
  return { createRequest: { requestId: randomUUID(), conferenceSolutionKey: { type } } };
}

export function remindersOf(item: ServiceItem): JsonObject | undefined {
  if (item.toggle('useDefaultReminders', true)) return undefined;
  const overrides = item
    .entries('remindersUi.remindersValues')
    .map(({ method = 'email', minutes = 0 }): JsonObject => ({ method, minutes }));
  return { useDefault: false, overrides };
}

export const addresses = (item: ServiceItem, path: string): JsonObject[] =>
  namesParameter(item.context, path, item.index).map((email) => ({ email }));

/** Attendees of a changed event. Before version 1.2, they replace the event's attendees. */
export async function newAttendees(item: ServiceItem, event: string): Promise<JsonObject[] | undefined> {
  if (item.version < 1.2) {
    const attendees = addresses(item, 'updateFields.attendees');
    return attendees.length > 0 ? attendees : undefined;
  }
  if (item.entries('updateFields.attendeesUi.values').length === 0) return undefined;
  const added = addresses(item, 'updateFields.attendeesUi.values.attendees');
  if (item.text('updateFields.attendeesUi.values.mode', 'add') === 'replace') return added;
  const body = await item.send({ path: eventsPath(calendarOf(item), event), query: { fields: 'attendees' } });
  const before = objectsOf((body as JsonObject | undefined)?.['attendees']);
  const emails = new Set(before.map(({ email }) => textOf(email).toLowerCase()));
  return [...before, ...added.filter(({ email }) => !emails.has(textOf(email).toLowerCase()))];
}
