import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { contactId, contactIdOf, encoded, id, locationOf, timeMember } from './high-level-client.ts';

/** Version of the calendar API. */
const headers = { version: '2021-04-15' };
const calendarId = id('calendarId', 'Calendar ID', 'ID of the calendar');
const booked: readonly NodeProperty[] = [
  text('address', 'Address', 'Place of the appointment'),
  choice(
    'appointmentStatus',
    'Appointment Status',
    choices(
      ['new', 'New'],
      ['confirmed', 'Confirmed'],
      ['cancelled', 'Cancelled'],
      ['showed', 'Showed'],
      ['noshow', 'No-Show'],
      ['invalid', 'Invalid'],
    ),
    { default: 'confirmed' },
  ),
  text('assignedUserId', 'Assigned User ID', 'ID of the user', { typeOptions: { loadOptionsMethod: 'getUsers' } }),
  text('endTime', 'End Time', 'End of the appointment', { type: 'dateTime' }),
  toggle('ignoreDateRange', 'Ignore Date Range', 'Whether notice and date range of the calendar do not apply'),
  text('title', 'Title', 'Title of the appointment'),
  toggle('toNotify', 'Notify', 'Whether the automations of the calendar run', { default: true }),
];

/** https://marketplace.gohighlevel.com/docs/ghl/calendars/calendars */
export const calendar: Resource = {
  displayName: 'Calendar',
  operations: {
    bookAppointment: {
      displayName: 'Book Appointment',
      description: 'Books an appointment with a contact',
      properties: [
        calendarId,
        text('locationId', 'Location ID', 'ID of the location; default: the one of the credential'),
        contactId,
        text('startTime', 'Start Time', 'Start of the appointment', { required: true, type: 'dateTime' }),
        collection('additionalFields', 'Additional Fields', booked),
      ],
      async run(item) {
        const { endTime, ...more } = item.typedFields('additionalFields', booked);
        const place = {
          calendarId: item.id('calendarId').trim(),
          locationId: item.text('locationId').trim() || (await locationOf(item.access)),
          contactId: await contactIdOf(item),
        };
        const times = {
          ...(await timeMember(item, 'startTime', item.required('startTime'))),
          ...(await timeMember(item, 'endTime', endTime)),
        };
        return item.send({ path: '/calendars/events/appointments', headers, json: { ...place, ...times, ...more } });
      },
    },
    getFreeSlots: {
      displayName: 'Get Free Slots',
      description: 'Gets the free slots of a calendar by day, for at most 31 days',
      properties: [
        calendarId,
        text('startDate', 'Start Date', 'Start of the range, as a time or in milliseconds since 1970', { required: true }),
        text('endDate', 'End Date', 'End of the range, as a time or in milliseconds since 1970', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          toggle('enableLookBusy', 'Look Busy', 'Whether to hide some of the free slots, as the calendar is set up'),
          text('timezone', 'Timezone', 'Time zone of the slots, such as `Europe/Berlin`'),
          text('userId', 'User ID', 'ID of a user'),
          names('userIds', 'User IDs', 'IDs of users'),
        ]),
      ],
      async run(item) {
        const { userIds: _, ...more } = item.fields('additionalFields');
        const users = namesParameter(item.context, 'additionalFields.userIds', item.index);
        const range = { startDate: await milliseconds(item, 'startDate'), endDate: await milliseconds(item, 'endDate') };
        const query = { ...range, ...more, ...(users.length > 0 && { userIds: users }) };
        return item.send({ path: `/calendars/${encoded(item, 'calendarId')}/free-slots`, headers, query });
      },
    },
  },
};

async function milliseconds(item: ServiceItem, parameter: string): Promise<number> {
  const written = item.required(parameter).trim();
  const time = /^\d{10,15}$/.test(written) ? Number(written) : await item.readTime(written);
  if (time !== undefined) return time;
  throw item.error(`the parameter "${parameter}" is not a time`, 'Set it to a date such as 2026-01-31T12:00:00+01:00');
}
