import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, collection, list, number, text, toggle } from '../shared/properties.ts';

/** A collection with a single entry of fields. */
const group = (name: string, displayName: string, entry: string, values: readonly NodeProperty[]): NodeProperty => ({
  ...list(name, displayName, entry, values),
  typeOptions: { multipleValues: false },
});

/** Parameters of an event, shown under a condition. */
export function calendarProperties(condition: Partial<NodeProperty>): NodeProperty[] {
  const date = (name: string, displayName: string, description: string): NodeProperty => ({
    ...text(name, displayName, description, { required: true, ...condition }),
    type: 'dateTime',
  });
  return [
    text('title', 'Event Title', 'Title of the event', condition),
    date('start', 'Start', 'When it begins'),
    date('end', 'End', 'When it ends; with "All Day", its last day'),
    toggle('allDay', 'All Day', 'Whether the event takes whole days', condition),
    collection('additionalFields', 'Options', additionalFields, condition),
  ];
}

const additionalFields: NodeProperty[] = [
  list('attendeesUi', 'Attendees', 'attendeeValues', [
    text('name', 'Name', 'The name of the attendee'),
    text('email', 'Email', 'The address of the attendee'),
    toggle('rsvp', 'RSVP', 'Whether to request a reply'),
  ]),
  choice('busyStatus', 'Busy Status', choices(['BUSY', 'Busy'], ['TENTATIVE', 'Tentative']), {
    description: 'How the time counts in calendars of Microsoft',
  }),
  text('calName', 'Calendar Name', 'The name of the calendar'),
  text('description', 'Description', 'Description of the event'),
  text('fileName', 'File Name', 'The name of the file', { default: 'event.ics' }),
  group('geolocationUi', 'Geolocation', 'geolocationValues', [
    text('lat', 'Latitude', 'In degrees'),
    text('lon', 'Longitude', 'In degrees'),
  ]),
  text('location', 'Location', 'Location of the event'),
  text('recurrenceRule', 'Recurrence Rule', 'A rule of RFC 5545, such as `FREQ=WEEKLY;COUNT=4`'),
  group('organizerUi', 'Organizer', 'organizerValues', [
    text('name', 'Name', 'The name of the organizer'),
    text('email', 'Email', 'The address of the organizer'),
  ]),
  atLeast(0, number('sequence', 'Sequence', 0, 'The number of the revision of the event')),
  choice('status', 'Status', choices(['CONFIRMED', 'Confirmed'], ['CANCELLED', 'Cancelled'], ['TENTATIVE', 'Tentative'])),
  text('uid', 'UID', 'The lasting identifier of the event; made up where it is not set'),
  text('url', 'URL', 'A page about the event'),
  toggle(
    'useWorkflowTimezone',
    'Use Workflow Timezone',
    'Whether dates without an offset are in the zone of the workflow, not UTC',
  ),
];
