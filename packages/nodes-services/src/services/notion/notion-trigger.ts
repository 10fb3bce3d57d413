import {
  headerText,
  type JsonObject,
  type JsonValue,
  mapSliced,
  type NodeType,
  type PollContext,
  pollTimesProperty,
  TimeSlice,
} from '@sluice/node-sdk';
import { booleanParameter, choice, choiceParameter, choices } from '@sluice/nodes-base/node-tools';
import { type ApiResponse, accessOf } from '../../shared/api-client.ts';
import { asText } from '../../shared/json-values.ts';
import { sendAll, sendPortion } from '../../shared/paging.ts';
import { locatedId } from '../../shared/service-item.ts';
import { authentication, credentials, searchDatabases } from './notion.ts';
import { databaseUrl, idIn, notionClient, pageSize, pathOf, queried } from './notion-client.ts';
import { databaseId, simple } from './notion-properties.ts';
import { simplified } from './simplified.ts';

const events = ['pageAddedToDatabase', 'pagedUpdatedInDatabase'] as const;

/** Starts the workflow with pages that were added to a database, or that changed. */
export const notionTrigger: NodeType = {
  description: {
    displayName: 'Notion Trigger',
    name: 'notion-trigger',
    group: ['trigger'],
    version: [1, 2],
    defaultVersion: 1,
    description:
      'Starts the workflow when a Notion database has new or changed pages, with one item per page. Pages of the first poll count as known. A manual run outputs the latest page',
    defaults: { name: 'Notion Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:book',
    credentials,
    properties: [
      pollTimesProperty,
      authentication,
      choice(
        'event',
        'Event',
        choices(['pageAddedToDatabase', 'Page Added to Database'], ['pagedUpdatedInDatabase', 'Page Updated in Database']),
      ),
      databaseId,
      simple,
    ],
  },
  methods: { listSearch: { getDatabases: searchDatabases } },
  async poll(context) {
    const pages = context.mode === 'manual' ? await latest(context) : await fresh(context);
    const isShort = booleanParameter(context, 'simple', 0, true);
    return mapSliced(pages, (page) => ({ json: isShort ? simplified(page, 2) : page }));
  },
};

const minuteMs = 60_000;

/**
 * Changes reach Notion's index with a short delay. New pages can wait longer: they are tracked by
 * ID.
 */
const settleMs = { created_time: 120_000, last_edited_time: 15_000 } as const;

type Timestamp = keyof typeof settleMs;

/**
 * Notion page times have a resolution of one minute. The cursor is `{ at, ids }`: pages up to the
 * minute `at` are done; `ids` maps pages of later minutes that a poll has returned to their times.
 */
async function fresh(context: PollContext): Promise<JsonObject[]> {
  const timestamp = timestampOf(context);
  const cursor = context.cursor;
  const since = cursor ? Number(cursor['at']) : await settledMinute(context, timestamp);
  const seen = new Map(Object.entries((cursor?.['ids'] as JsonObject | undefined) ?? {}));
  const { pages, at } = await changedSince(context, timestamp, since);
  const later: [string, number][] = [];
  const freshPages: JsonObject[] = [];
  const slice = new TimeSlice();
  for (const [id, page] of pages) {
    if (slice.isOver) await slice.next();
    const time = timeOf(page, timestamp);
    if (time <= since) continue;
    if (time > at) later.push([id, time]);
    if (cursor && isDue(timestamp, time, at, seen.get(id))) freshPages.push(page);
  }
  // A portion may end before pages that an earlier poll has returned.
  const unread = [...seen].filter(([id, time]) => Number(time) > at && !pages.has(id));
  context.saveCursor({ at, ids: Object.fromEntries([...unread, ...later]) });
  return freshPages;
}

/**
 * A new page is due at once. A change waits until its minute is over, or until the page changes in
 * a later minute: changes in one minute are one event, which includes all of them.
 */
function isDue(timestamp: Timestamp, time: number, at: number, seenAt: JsonValue | undefined): boolean {
  if (timestamp === 'created_time') return seenAt === undefined;
  return time <= at || Number(seenAt ?? time) < time;
}

function timestampOf(context: PollContext): Timestamp {
  const event = choiceParameter(context, 'event', 0, events, 'pageAddedToDatabase');
  return event === 'pageAddedToDatabase' ? 'created_time' : 'last_edited_time';
}

const timeOf = (page: JsonObject, timestamp: Timestamp) => Date.parse(asText(page[timestamp] ?? '')) || 0;

/**
 * Pages since a minute by ID, earliest first, and the last minute that is done after them. For a
 * long list, the first pages, of at least one minute.
 */
async function changedSince(context: PollContext, timestamp: Timestamp, since: number) {
  const filter = { timestamp, [timestamp]: { on_or_after: new Date(since).toISOString() } };
  const json = { filter, sorts: [{ timestamp, direction: 'ascending' }], page_size: pageSize };
  let settled: number | undefined;
  let latest = 0;
  const mayEndAfter = (pages: readonly JsonObject[], response: ApiResponse) => {
    settled ??= Math.max(since, lastSettled(response, timestamp));
    latest = timeOf(pages.at(-1) ?? {}, timestamp);
    return latest - minuteMs > since;
  };
  const request = { path: pathOfQuery(context), json };
  const { elements, isCut } = await sendPortion(notionClient, accessOf(context, 0), request, queried, mayEndAfter);
  // A page that changes between two requests is in both responses; the later one is used.
  const pages = new Map<string, JsonObject>();
  for (const page of elements) pages.set(asText(page['id']), page);
  const whole = settled ?? since;
  return { pages, at: isCut ? Math.min(whole, latest - minuteMs) : whole };
}

/** The last minute that is over by Notion's clock, for the first poll. */
async function settledMinute(context: PollContext, timestamp: Timestamp): Promise<number> {
  const request = { path: pathOfQuery(context), json: { page_size: 1 } };
  return lastSettled(await notionClient.exchange(accessOf(context, 0), request), timestamp);
}

function lastSettled({ headers }: ApiResponse, timestamp: Timestamp): number {
  const now = Date.parse(headerText(headers, 'date')) || Date.now();
  return Math.floor((now - settleMs[timestamp]) / minuteMs) * minuteMs - minuteMs;
}

async function latest(context: PollContext): Promise<JsonObject[]> {
  const sorts = [{ timestamp: timestampOf(context), direction: 'descending' }];
  return sendAll(notionClient, accessOf(context, 0), { path: pathOfQuery(context), json: { sorts, page_size: 1 } }, queried, 1);
}

function pathOfQuery(context: PollContext): string {
  return pathOf('databases', idIn(locatedId(context, 'databaseId', 0, databaseUrl), databaseUrl), '/query');
}
