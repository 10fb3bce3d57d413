import { type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { choice, choices, options } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { calendarOf, timeZoneOf } from './google-calendar-client.ts';
import { calendar as calendarProperty, time, timeZone } from './google-calendar-properties.ts';

const hourMs = 3_600_000;

export const calendar: Resource = {
  displayName: 'Calendar',
  operations: {
    availability: {
      displayName: 'Availability',
      description: 'Returns whether a calendar is free in a period',
      properties: [
        calendarProperty,
        time('timeMin', 'Start Time', 'Start of the period', { default: '={{ $now }}' }),
        time('timeMax', 'End Time', 'End of the period', { default: '={{ $now.plus(1, "hour") }}' }),
        options([
          choice(
            'outputFormat',
            'Output Format',
            choices(
              ['availability', 'Availability', '`available`: whether the whole period is free'],
              ['bookedSlots', 'Booked Slots', 'One item for each busy part'],
              ['raw', 'RAW', 'The response of Google'],
            ),
          ),
          timeZone('timezone'),
        ]),
      ],
      run: availability,
    },
  },
};

async function availability(item: ServiceItem): Promise<Produced> {
  const id = calendarOf(item);
  const now = Date.now();
  const body = objectOf(
    await item.send({
      path: '/freeBusy',
      json: {
        timeMin: ((await item.time('timeMin')) ?? new Date(now)).toISOString(),
        timeMax: ((await item.time('timeMax')) ?? new Date(now + hourMs)).toISOString(),
        timeZone: timeZoneOf(item, 'options.timezone'),
        items: [{ id }],
      },
    }),
  );
  const format = item.text('options.outputFormat', 'availability');
  if (format === 'raw') return body;
  const busy = busyParts(item, ownProperty(objectOf(body['calendars']), id));
  return format === 'bookedSlots' ? busy : { available: busy.length === 0 };
}

/**
 * Throws if the response does not have the calendar: an unreadable calendar must not appear free.
 */
function busyParts(item: ServiceItem, response: JsonValue | undefined): JsonObject[] {
  const { busy, errors } = objectOf(response);
  if (Array.isArray(busy) && objectsOf(errors).length === 0) return objectsOf(busy);
  const reason = textOf(objectsOf(errors)[0]?.['reason']) || 'unknown';
  const description = 'Check the ID of the calendar, and that it is shared with the account of the credential';
  throw item.error(`Google Calendar cannot read the calendar: ${reason}`, description);
}
