import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, options, toggle, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields, objectOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { calendarOf, eventsPath, timeZoneOf } from './google-calendar-client.ts';
import {
  calendar,
  eventId,
  maxAttendees,
  newEventFields,
  reminders,
  sendUpdates,
  time,
  timeZone,
  updateFields,
  withTopTimes,
} from './google-calendar-properties.ts';
import { getAll } from './list-events.ts';
import { nextInstance } from './next-instance.ts';
import { addresses, eventOf, newAttendees, remindersOf, writeQuery } from './write-event.ts';

const pathOf = (item: ServiceItem, id = item.required('eventId')): string => eventsPath(calendarOf(item), id);

export const event: Resource = {
  displayName: 'Event',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds an event to a calendar',
      properties: [
        calendar,
        time('start', 'Start', 'Start of the event', { required: true, default: '={{ $now }}' }),
        time('end', 'End', 'End of the event', { required: true, default: '={{ $now.plus(1, "hour") }}' }),
        ...reminders,
        newEventFields,
      ],
      run: create,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an event',
      properties: [calendar, eventId, options([sendUpdates])],
      run: (item) =>
        item.perform({ method: 'DELETE', path: pathOf(item), query: { sendUpdates: item.text('options.sendUpdates') } }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an event',
      properties: [
        calendar,
        eventId,
        options([
          maxAttendees,
          timeZone('timeZone'),
          {
            ...toggle('returnNextInstance', 'Return Next Instance', 'Whether to return the next instance of a repeated event'),
            ...when(withTopTimes),
          },
        ]),
      ],
      run: get,
    },
    getAll,
    update: {
      displayName: 'Update',
      description: 'Changes an event',
      properties: [
        calendar,
        eventId,
        choice('modifyTarget', 'Modify', choices(['instance', 'Recurring Event Instance'], ['event', 'Recurring Event']), {
          description: 'Whether the ID of an instance of a recurring event selects all instances',
          ...when(withTopTimes),
        }),
        ...reminders,
        updateFields,
      ],
      run: update,
    },
  },
};

async function create(item: ServiceItem): Promise<JsonValue | undefined> {
  const now = Date.now();
  const body = await eventOf(item, { start: 'start', end: 'end', fields: 'additionalFields' });
  const attendees = addresses(item, 'additionalFields.attendees');
  const moment = (ms: number): JsonObject => ({
    dateTime: new Date(ms).toISOString(),
    timeZone: item.context.workflow.timezone,
  });
  return item.send({
    path: eventsPath(calendarOf(item)),
    query: writeQuery(item, 'additionalFields'),
    json: {
      start: moment(now),
      end: moment(now + 3_600_000),
      ...body,
      ...(attendees.length > 0 && { attendees }),
      reminders: remindersOf(item),
    },
  });
}

async function get(item: ServiceItem): Promise<JsonValue | undefined> {
  const query = {
    maxAttendees: item.number('options.maxAttendees', 0) || undefined,
    timeZone: timeZoneOf(item, 'options.timeZone'),
  };
  const response = await item.send({ path: pathOf(item), query });
  if (!item.toggle('options.returnNextInstance') || objectOf(response)['recurrence'] === undefined) return response;
  return (await nextInstance(item, item.required('eventId'), query)) ?? response;
}

async function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const id = await targetOf(item);
  const fields = 'updateFields';
  const body = await eventOf(item, { start: `${fields}.start`, end: `${fields}.end`, fields });
  return item.send({
    method: 'PATCH',
    path: pathOf(item, id),
    query: writeQuery(item, fields),
    json: filledFields({
      ...body,
      ...replacedMoments(body),
      attendees: await newAttendees(item, id),
      reminders: remindersOf(item),
    }),
  });
}

/**
 * A patch would merge the start and end with the event's existing ones, which would then have both
 * a day and a time: https://developers.google.com/workspace/calendar/api/guides/performance#patch
 */
function replacedMoments({ start, end }: JsonObject): JsonObject {
  const alone = (moment: JsonObject): JsonObject =>
    'date' in moment ? { ...moment, dateTime: null, timeZone: null } : { ...moment, date: null };
  return {
    ...(start !== undefined && { start: alone(objectOf(start)) }),
    ...(end !== undefined && { end: alone(objectOf(end)) }),
  };
}

/** The event, or the recurring event to which it belongs. */
async function targetOf(item: ServiceItem): Promise<string> {
  const id = item.required('eventId');
  if (item.version < 1.3 || item.text('modifyTarget', 'instance') === 'instance') return id;
  const response = objectOf(await item.send({ path: pathOf(item), query: { fields: 'recurringEventId' } }));
  return textOf(response['recurringEventId']) || id;
}
