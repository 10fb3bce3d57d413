import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, when } from '@sluice/nodes-base/node-tools';
import type { Operation } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { calendarOf, eventsPath, timeZoneOf } from './google-calendar-client.ts';
import { beforeTopTimes, calendar, maxAttendees, time, timeZone, withTopTimes } from './google-calendar-properties.ts';
import { nextInstance } from './next-instance.ts';

const weekMs = 7 * 24 * 3_600_000;
const maxPage = 2_500;

export const eventPages = cursorPaging('items', 'nextPageToken', 'pageToken');

export const getAll: Operation = {
  displayName: 'Get Many',
  description: 'Finds events in a calendar',
  properties: [
    calendar,
    ...listPropertiesOf(),
    time('timeMin', 'After', 'Events that end later', { default: '={{ $now }}', ...when(withTopTimes) }),
    time('timeMax', 'Before', 'Events that start earlier', { default: '={{ $now.plus({ week: 1 }) }}', ...when(withTopTimes) }),
    options([
      { ...time('timeMin', 'After', 'Events that end later'), ...when(beforeTopTimes) },
      { ...time('timeMax', 'Before', 'Events that start earlier'), ...when(beforeTopTimes) },
      text('fields', 'Fields', 'Names of fields, such as `items(id,summary)`; `*` for all'),
      text('iCalUID', 'iCal UID', 'ID of an event in the format of iCalendar'),
      maxAttendees,
      choice('orderBy', 'Order By', choices(['startTime', 'Start Time', 'With single events only'], ['updated', 'Updated'])),
      text('query', 'Query', 'Text in any field of an event'),
      choice(
        'recurringEventHandling',
        'Recurring Event Handling',
        choices(['expand', 'All Occurrences'], ['first', 'First Occurrence'], ['next', 'Next Occurrence']),
        when(withTopTimes),
      ),
      toggle('showDeleted', 'Show Deleted', 'Whether to return deleted events, whose status is `cancelled`'),
      toggle('showHiddenInvitations', 'Show Hidden Invitations', 'Whether to return hidden invitations'),
      {
        ...toggle('singleEvents', 'Single Events', 'Whether a repeated event is returned as its instances'),
        ...when(beforeTopTimes),
      },
      timeZone('timeZone'),
      time('updatedMin', 'Updated Min', 'Events that changed later'),
    ]),
  ],
  run: listEvents,
};

async function listEvents(item: ServiceItem): Promise<JsonObject[]> {
  const handling = item.text('options.recurringEventHandling', 'expand');
  const isNew = item.version >= 1.3;
  const isSingle = isNew ? handling === 'expand' : item.toggle('options.singleEvents');
  const fields = item.text('options.fields');
  const limit = item.limit();
  const query: Record<string, JsonValue | undefined> = {
    ...(await timesOf(item, isNew)),
    fields: fields === '' || fields === '*' ? undefined : withPages(fields),
    iCalUID: item.text('options.iCalUID'),
    maxAttendees: item.number('options.maxAttendees', 0) || undefined,
    orderBy: item.text('options.orderBy'),
    q: item.text('options.query'),
    showDeleted: item.toggle('options.showDeleted') || undefined,
    showHiddenInvitations: item.toggle('options.showHiddenInvitations') || undefined,
    singleEvents: isSingle || undefined,
    timeZone: timeZoneOf(item, 'options.timeZone'),
    maxResults: asText(Math.min(limit, maxPage)),
  };
  const events = await item.list({ path: eventsPath(calendarOf(item)), query }, eventPages, limit);
  return isNew && handling === 'next' ? withNextInstances(item, events) : events;
}

/** In version 1.3, times are next to the options, with a week as the default. */
async function timesOf(item: ServiceItem, isNew: boolean): Promise<Record<string, string | undefined>> {
  const now = Date.now();
  const read = async (name: string, defaultMs: number) => {
    const path = isNew ? name : `options.${name}`;
    const isUnset = isNew && item.context.parameter<JsonValue>(path, item.index) === undefined;
    return isUnset ? new Date(defaultMs).toISOString() : (await item.time(path))?.toISOString();
  };
  return {
    timeMin: await read('timeMin', now),
    timeMax: await read('timeMax', now + weekMs),
    updatedMin: (await item.time('options.updatedMin'))?.toISOString(),
  };
}

/** A field selection must include the next page token. */
const withPages = (fields: string): string => (fields.includes('nextPageToken') ? fields : `nextPageToken,${fields}`);

/** Recurring events that have ended are unchanged. */
async function withNextInstances(item: ServiceItem, events: readonly JsonObject[]): Promise<JsonObject[]> {
  const results: JsonObject[] = [];
  for (const event of events) {
    const id = event['recurrence'] === undefined ? '' : asText(event['id'] ?? '');
    results.push(id === '' ? event : ((await nextInstance(item, id)) ?? event));
  }
  return results;
}
