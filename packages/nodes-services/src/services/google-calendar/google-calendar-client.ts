import type { JsonValue, ListSearchResult, MethodContext, NodeMethods } from '@sluice/node-sdk';
import { googleClient } from '../../shared/google-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { chosenId, type ServiceItem, type ServiceNode } from '../../shared/service-item.ts';

/** https://developers.google.com/workspace/calendar/api/v3/reference */
export const calendarClient = googleClient(
  'Google Calendar',
  'https://www.googleapis.com/calendar/v3',
  'googleCalendarOAuth2Api',
);

const calendarUrl = /[?&]cid=([\w%=+/-]+)/;
const decoded = (cid: string): string => Buffer.from(cid, 'base64').toString();

/** A locator by URL contains the calendar address in `cid`, Base64-encoded. */
export function calendarOf(node: ServiceNode, path = 'calendar'): string {
  if (node.mode(path) !== 'url') return node.id(path);
  return decoded(node.id(path, calendarUrl));
}

export const eventsPath = (calendar: string, event?: string): string =>
  `/calendars/${encodeURIComponent(calendar)}/events${event === undefined ? '' : `/${encodeURIComponent(event)}`}`;

/** The time zone from a parameter. */
export function timeZoneOf(item: ServiceItem, path: string): string | undefined {
  const value = item.context.parameter<JsonValue>(path, item.index) ?? '';
  const isEmpty = (typeof value === 'object' ? (objectOf(value)['value'] ?? '') : value) === '';
  return isEmpty ? undefined : item.id(path);
}

/** The date of a time in a time zone: `2026-01-31`. */
export const dateIn = (time: Date, timeZone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(time);

/** Lists of calendars, time zones, and colors for editors. */
export const calendarMethods: NodeMethods = {
  listSearch: {
    getCalendars: calendars,
    getTimezones: async (_, filter = '') => ({
      results: Intl.supportedValuesOf('timeZone')
        .filter((zone) => zone.toLowerCase().includes(filter.toLowerCase()))
        .map((zone) => ({ name: zone, value: zone })),
    }),
  },
  loadOptions: {
    getColors: async (context) => {
      const { event } = objectOf(await calendarClient.send(context, { path: '/colors' }));
      return Object.entries(objectOf(event)).map(([value, color]) => ({
        name: `Background: ${textOf(objectOf(color)['background'])}, foreground: ${textOf(objectOf(color)['foreground'])}`,
        value,
      }));
    },
    getConferenceSolutions: async (context) => {
      const id = chosenId(context, 'calendar', calendarUrl);
      const isUrl = objectOf(context.parameter<JsonValue>('calendar', ''))['mode'] === 'url';
      const path = `/users/me/calendarList/${encodeURIComponent((isUrl ? decoded(id) : id) || 'primary')}`;
      const { conferenceProperties } = objectOf(await calendarClient.send(context, { path }));
      const allowed = objectOf(conferenceProperties)['allowedConferenceSolutionTypes'];
      return conferences.filter(({ value }) => [allowed ?? []].flat().includes(value));
    },
  },
};

export const conferences = [
  { value: 'hangoutsMeet', name: 'Google Meet' },
  { value: 'eventHangout', name: 'Google Hangout' },
  { value: 'eventNamedHangout', name: 'Google Hangout Classic' },
];

async function calendars(context: MethodContext, filter = '', paginationToken = ''): Promise<ListSearchResult> {
  const query = { maxResults: '250', pageToken: paginationToken, fields: 'nextPageToken,items(id,summary)' };
  const body = objectOf(await calendarClient.send(context, { path: '/users/me/calendarList', query }));
  const choices = choicesFrom(objectsOf(body['items']), 'summary');
  const next = textOf(body['nextPageToken']);
  return {
    ...matching(choices, filter),
    ...(next !== '' && { paginationToken: next }),
  };
}
