import type { NodeProperty } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  collection,
  list,
  names,
  number,
  text,
  toggle,
  when,
  where,
} from '@sluice/nodes-base/node-tools';
import { conferences } from './google-calendar-client.ts';

export const beforeAttendeeModes = [1, 1.1];
export const withAttendeeModes = [1.2, 1.3];
export const beforeTopTimes = [1, 1.1, 1.2];
export const withTopTimes = [1.3];

export const calendar = text('calendar', 'Calendar', 'The calendar: from the list, or by ID, such as `primary`', {
  required: true,
  typeOptions: { searchListMethod: 'getCalendars' },
});
export const eventId = text('eventId', 'Event ID', 'ID of the event', { required: true });

export const timeZone = (name: string): NodeProperty =>
  text(name, 'Timezone', 'Time zone of the result, such as `Europe/Berlin`; default: that of the calendar', {
    typeOptions: { searchListMethod: 'getTimezones' },
  });

export const time = (
  name: string,
  displayName: string,
  description: string,
  more: Partial<NodeProperty> = {},
): NodeProperty => ({ displayName, name, type: 'dateTime', default: '', description, ...more });

export const sendUpdates = choice(
  'sendUpdates',
  'Send Updates',
  choices(['all', 'All'], ['externalOnly', 'External Only', 'Guests without Google Calendar'], ['none', 'None']),
  { description: 'Who gets a notification' },
);

export const maxAttendees = number('maxAttendees', 'Max Attendees', 0, 'Most attendees in the response; 0: all');

const attendees = names('attendees', 'Attendees', 'Email addresses');
const allDay = choice('allday', 'All Day', choices(['no', 'No'], ['yes', 'Yes']));

/** Fields of an event to write. */
const common: readonly NodeProperty[] = [
  allDay,
  text('color', 'Color', 'ID of the color, from 1 to 11', { typeOptions: { loadOptionsMethod: 'getColors' } }),
  text('description', 'Description', 'Description of the event; HTML is allowed'),
  toggle('guestsCanInviteOthers', 'Guests Can Invite Others', 'Whether guests can invite others', { default: true }),
  toggle('guestsCanModify', 'Guests Can Modify', 'Whether guests can change the event'),
  toggle('guestsCanSeeOtherGuests', 'Guests Can See Other Guests', 'Whether guests see the other guests', { default: true }),
  text('id', 'ID', 'ID of the event: letters from a to v, and digits'),
  text('location', 'Location', 'Place of the event'),
  maxAttendees,
  choice(
    'repeatFrecuency',
    'Repeat Frequency',
    choices(['Daily', 'Daily'], ['weekly', 'Weekly'], ['monthly', 'Monthly'], ['yearly', 'Yearly']),
  ),
  number('repeatHowManyTimes', 'Repeat How Many Times?', 1, 'Number of repetitions'),
  time('repeatUntil', 'Repeat Until', 'Time of the last repetition'),
  text('rrule', 'RRULE', 'Recurrence rule (RFC 5545), such as `FREQ=WEEKLY;COUNT=5`; it replaces the other repeat fields'),
  sendUpdates,
  choice('showMeAs', 'Show Me As', choices(['opaque', 'Busy'], ['transparent', 'Available'])),
  text('summary', 'Summary', 'Title of the event'),
  text('timezone', 'Timezone', 'Time zone of the event; default: that of the workflow', {
    typeOptions: { searchListMethod: 'getTimezones' },
  }),
  choice(
    'visibility',
    'Visibility',
    choices(['default', 'Default'], ['confidential', 'Confidential'], ['private', 'Private'], ['public', 'Public']),
  ),
  {
    ...list('conferenceDataUi', 'Conference Data', 'conferenceDataValues', [
      choice('conferenceSolution', 'Type', conferences, { description: 'Kind of the conference' }),
    ]),
    typeOptions: { multipleValues: false },
  },
];

export const newEventFields = collection('additionalFields', 'Additional Fields', [...common, attendees]);

export const updateFields = collection('updateFields', 'Update Fields', [
  ...common,
  { ...attendees, ...when(beforeAttendeeModes) },
  {
    ...list('attendeesUi', 'Attendees', 'values', [
      choice('mode', 'Mode', choices(['add', 'Add Attendees Below'], ['replace', 'Replace Attendees With Those Below'])),
      attendees,
    ]),
    typeOptions: { multipleValues: false },
    ...when(withAttendeeModes),
  },
  time('start', 'Start', 'New start'),
  time('end', 'End', 'New end'),
]);

export const reminders: readonly NodeProperty[] = [
  toggle('useDefaultReminders', 'Use Default Reminders', 'Whether the event has the reminders of the calendar', {
    default: true,
  }),
  list(
    'remindersUi',
    'Reminders',
    'remindersValues',
    [
      choice('method', 'Method', choices(['email', 'Email'], ['popup', 'Popup'])),
      atLeast(0, number('minutes', 'Minutes Before', 0, 'Minutes before the start')),
    ],
    where({ useDefaultReminders: [false] }),
  ),
];
