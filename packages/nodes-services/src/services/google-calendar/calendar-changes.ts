import { type JsonObject, type JsonValue, NodeApiError, type PollContext, TimeSlice } from '@sluice/node-sdk';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { markOf, storedTimes, timesIn } from '../../shared/mark.ts';
import type { ServiceNode } from '../../shared/service-item.ts';
import { calendarOf, eventsPath } from './google-calendar-client.ts';

/** The position of a poll in a calendar's changes. Times are milliseconds by Google's clock. */
interface Position extends JsonObject {
  syncToken: string;
  /** Time of the latest change. */
  updatedMs: number;
  /** Events created since then start the workflow, unless they are in `created`. */
  sinceMs: number;
  /** Known created events, since `sinceMs`. */
  created: string[];
}

type Kind = 'eventCancelled' | 'eventCreated' | 'eventUpdated';

/** How late Google may report a creation. Earlier creations are no longer remembered. */
const rememberedMs = 7 * 24 * 3_600_000;
/** Entries that fit into the position of a poll. */
const maxRemembered = 40_000;

const fields = 'nextPageToken,nextSyncToken,items';
const gone = 410;

/**
 * Events of one kind since the last poll; stores the next position. Google reports each changed
 * event once, with its current state:
 * https://developers.google.com/workspace/calendar/api/guides/sync
 */
export async function calendarChanges(node: ServiceNode<PollContext>, wanted: Kind): Promise<JsonObject[]> {
  const { context } = node;
  if (!context.cursor) {
    context.saveCursor(await firstPosition(node));
    return [];
  }
  const before = context.cursor as Position;
  const { events, syncToken } = await changesSince(node, before);
  const created = timesIn(before.created);
  const changed: JsonObject[] = [];
  let { updatedMs } = before;
  const slice = new TimeSlice();
  for (const event of events) {
    if (slice.isOver) await slice.next();
    if (kindOf(event, before.sinceMs, created) === wanted) changed.push(event);
    updatedMs = Math.max(updatedMs, msOf(event['updated']));
  }
  const oldestMs = Math.max(before.sinceMs, updatedMs - rememberedMs);
  context.saveCursor({ syncToken, updatedMs, ...remembered(created, oldestMs) });
  return changed;
}

/** Records a created event. An instance of a recurring event that differs from it is a change. */
function kindOf(event: JsonObject, sinceMs: number, created: Map<string, number>): Kind {
  const { id, status, recurringEventId } = event;
  if (status === 'cancelled') return 'eventCancelled';
  const atMs = msOf(event['created']);
  if (recurringEventId !== undefined || atMs < sinceMs || created.has(markOf(textOf(id)))) return 'eventUpdated';
  created.set(markOf(textOf(id)), atMs);
  return 'eventCreated';
}

/**
 * The latest ones, as many as fit. An older event that changes is reported as updated, never again
 * as created.
 */
function remembered(created: ReadonlyMap<string, number>, oldestMs: number): Pick<Position, 'sinceMs' | 'created'> {
  const recent = [...created].filter(([, atMs]) => atMs >= oldestMs);
  if (recent.length <= maxRemembered) return { sinceMs: oldestMs, created: storedTimes(new Map(recent)) };
  const latest = recent.sort(([, a], [, b]) => b - a).slice(0, maxRemembered);
  return { sinceMs: (latest.at(-1)?.[1] ?? oldestMs) + 1, created: storedTimes(new Map(latest)) };
}

/** All existing events are known; new events are created after the latest of them. */
async function firstPosition(node: ServiceNode): Promise<Position> {
  const { events, syncToken } = await synchronized(node, {
    fields: 'nextPageToken,nextSyncToken,items(id,created,updated)',
  });
  let [sinceMs, updatedMs]: [number, number] = [0, 0];
  for (const { created, updated } of events) {
    sinceMs = Math.max(sinceMs, msOf(created));
    updatedMs = Math.max(updatedMs, msOf(updated));
  }
  const latest = events.filter(({ created }) => msOf(created) === sinceMs).map(({ id }) => markOf(textOf(id)));
  return { syncToken, updatedMs, ...remembered(new Map(latest.map((mark) => [mark, sinceMs])), sinceMs) };
}

/**
 * If Google no longer has the position, reads all events and keeps the events that changed after
 * the latest known change.
 */
async function changesSince(
  node: ServiceNode,
  { syncToken, updatedMs }: Position,
): Promise<{ events: JsonObject[]; syncToken: string }> {
  try {
    return await synchronized(node, { fields, syncToken });
  } catch (error) {
    if (!(error instanceof NodeApiError) || objectOf(error.details as JsonValue)['status'] !== gone) throw error;
    const all = await synchronized(node, { fields, showDeleted: 'true' });
    return { ...all, events: all.events.filter(({ updated }) => msOf(updated) > updatedMs) };
  }
}

/** Reads all pages. An event that changes between two pages is on both; the later state is used. */
async function synchronized(
  node: ServiceNode,
  query: Record<string, JsonValue>,
): Promise<{ events: JsonObject[]; syncToken: string }> {
  const events = new Map<string, JsonObject>();
  const path = eventsPath(calendarOf(node, 'calendarId'));
  const slice = new TimeSlice();
  let pageToken = '';
  for (;;) {
    const body = objectOf(await node.send({ path, query: { ...query, maxResults: '2500', pageToken } }));
    for (const event of objectsOf(body['items'])) {
      if (slice.isOver) await slice.next();
      events.set(textOf(event['id']), event);
    }
    pageToken = textOf(body['nextPageToken']);
    if (pageToken === '') return { events: [...events.values()], syncToken: textOf(body['nextSyncToken']) };
  }
}

const msOf = (time: JsonValue | undefined): number => Date.parse(textOf(time)) || 0;
