import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { graphTime } from '../../shared/microsoft-graph.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { calendarId, eventId, idOf, listed, listProperties } from './outlook-client.ts';
import { recipientList } from './write-message.ts';

const eventPath = (item: ServiceItem) => `/events/${idOf(item, 'eventId')}`;
const dateTime = { type: 'dateTime', required: true } as const;
const members = [
  text('attendees', 'Attendees', 'Addresses, separated by commas'),
  text('body', 'Description', 'Text of the event'),
  choice('bodyContentType', 'Description Type', choices(['html', 'HTML'], ['text', 'Text'])),
  choice('importance', 'Importance', choices(['low', 'Low'], ['normal', 'Normal'], ['high', 'High']), { default: 'normal' }),
  toggle('isAllDay', 'Is All Day', 'Whether the event takes whole days'),
  toggle('isOnlineMeeting', 'Is Online Meeting', 'Whether to create a meeting in Teams'),
  text('location', 'Location', 'Name of the place'),
  choice(
    'sensitivity',
    'Sensitivity',
    choices(['normal', 'Normal'], ['personal', 'Personal'], ['private', 'Private'], ['confidential', 'Confidential']),
  ),
  choice(
    'showAs',
    'Show As',
    choices(
      ['free', 'Free'],
      ['tentative', 'Tentative'],
      ['busy', 'Busy'],
      ['oof', 'Out of Office'],
      ['workingElsewhere', 'Working Elsewhere'],
    ),
    { default: 'busy' },
  ),
  text('timeZone', 'Timezone', 'Time zone of the times without an offset, such as Europe/Berlin'),
];

export const calendar: Resource = {
  displayName: 'Calendar',
  initial: 'getAll',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists calendars',
      properties: listProperties,
      run: (item) => listed(item, '/calendars'),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a calendar',
      properties: [calendarId],
      run: (item) => item.send({ path: `/calendars/${idOf(item, 'calendarId')}` }),
    },
  },
};

/** https://learn.microsoft.com/graph/api/resources/event */
export const event: Resource = {
  displayName: 'Event',
  initial: 'getAll',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an event',
      properties: [
        calendarId,
        text('subject', 'Title', 'Title of the event', { required: true }),
        text('startDateTime', 'Start', 'Start of the event', dateTime),
        text('endDateTime', 'End', 'End of the event', dateTime),
        collection('additionalFields', 'Additional Fields', members),
      ],
      run: (item) =>
        item.send({
          path: `/calendars/${idOf(item, 'calendarId')}/events`,
          json: eventOf(item, {
            ...item.fields('additionalFields'),
            subject: item.required('subject'),
            startDateTime: item.required('startDateTime'),
            endDateTime: item.required('endDateTime'),
          }),
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an event',
      properties: [eventId],
      run: (item) => item.perform({ method: 'DELETE', path: eventPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an event',
      properties: [eventId],
      run: (item) => item.send({ path: eventPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the events of a calendar',
      properties: [
        calendarId,
        ...listProperties,
        collection('filters', 'Filters', [text('custom', 'Filter Query', 'Filter in the language of Microsoft Graph')]),
      ],
      run: (item) => listed(item, `/calendars/${idOf(item, 'calendarId')}/events`, { $filter: item.text('filters.custom') }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes an event',
      properties: [
        eventId,
        collection('additionalFields', 'Update Fields', [
          ...members,
          text('subject', 'Title', 'Title of the event'),
          text('startDateTime', 'Start', 'Start of the event', { type: 'dateTime' }),
          text('endDateTime', 'End', 'End of the event', { type: 'dateTime' }),
        ]),
      ],
      run: (item) =>
        item.send({ method: 'PATCH', path: eventPath(item), json: eventOf(item, item.fields('additionalFields')) }),
    },
  },
};

function eventOf(item: ServiceItem, fields: JsonObject): JsonObject {
  const { attendees, body, bodyContentType = 'html', endDateTime, location, startDateTime, timeZone, ...rest } = fields;
  const zone = typeof timeZone === 'string' ? timeZone : item.context.workflow.timezone;
  return {
    ...rest,
    ...(startDateTime !== undefined && { start: graphTime(item, asText(startDateTime), zone) }),
    ...(endDateTime !== undefined && { end: graphTime(item, asText(endDateTime), zone) }),
    ...(body !== undefined && { body: { contentType: bodyContentType, content: body } }),
    ...(location !== undefined && { location: isJsonObject(location) ? location : { displayName: location } }),
    ...(attendees !== undefined && { attendees: recipientList(attendees) }),
  };
}
