import { type JsonObject, mapSliced, type PollContext } from '@sluice/node-sdk';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import type { ServiceNode } from '../../shared/service-item.ts';
import { calendarClient, calendarOf, eventsPath } from './google-calendar-client.ts';
import { eventPages } from './list-events.ts';

/**
 * An event that is added, or found, within this time after its start is still reported as started.
 */
const graceMs = 10 * 60_000;

/** Maximum number of days that a poll looks back after a pause. */
const maxPauseMs = 31 * 24 * 3_600_000;

/**
 * Events that started or ended since the last poll, in the order of these times; stores the next
 * position. Periods overlap, and events in the overlap are remembered.
 */
export async function dueEvents(node: ServiceNode<PollContext>, edge: 'start' | 'end'): Promise<JsonObject[]> {
  const { context } = node;
  const now = Date.now();
  const last = Number(context.cursor?.['atMs'] ?? now);
  const from = Math.max(last - graceMs, now - maxPauseMs);
  const due = await eventsBetween(node, edge, from, now);
  const reported = new Set(await mapSliced(objectsOf(context.cursor?.['known']), keyOf));
  const overlap = due.filter(({ atMs }) => atMs > now - graceMs);
  context.saveCursor({ atMs: now, known: await mapSliced(overlap, ({ id, atMs }) => ({ id, atMs })) });
  if (!context.cursor) return [];
  const isNew = await mapSliced(due, (one) => !reported.has(keyOf(one)));
  return due.filter((_, index) => isNew[index]).map(({ event }) => event);
}

const keyOf = ({ id, atMs }: JsonObject): string => `${textOf(id)} ${asText(atMs)}`;

interface DueEvent extends JsonObject {
  id: string;
  atMs: number;
  event: JsonObject;
}

/**
 * Events whose start or end is after `from`, up to `to`. Google selects events that end after
 * `timeMin` and start before `timeMax`.
 */
async function eventsBetween(node: ServiceNode, edge: 'start' | 'end', from: number, to: number): Promise<DueEvent[]> {
  const query = {
    singleEvents: 'true',
    timeMin: new Date(from).toISOString(),
    timeMax: new Date(to + 1_000).toISOString(),
    timeZone: 'UTC',
    maxResults: '2500',
  };
  const path = eventsPath(calendarOf(node, 'calendarId'));
  const events = await sendAll(calendarClient, node.access, { path, query }, eventPages);
  const zoneMs = events.some((event) => objectOf(event[edge])['date'] !== undefined) ? await zoneOffset(node, path, to) : 0;
  const dated = await mapSliced(
    events,
    (event): DueEvent => ({ id: textOf(event['id']), atMs: edgeOf(event, edge, zoneMs), event }),
  );
  return dated.filter(({ atMs }) => atMs > from && atMs <= to).sort((a, b) => a.atMs - b.atMs);
}

/** Days start at midnight in the calendar's time zone. */
function edgeOf(event: JsonObject, edge: 'start' | 'end', zoneMs: number): number {
  const { dateTime, date } = objectOf(event[edge]);
  return dateTime === undefined ? Date.parse(textOf(date)) - zoneMs : Date.parse(textOf(dateTime));
}

/** Offset of the calendar's time zone, in milliseconds. */
async function zoneOffset(node: ServiceNode, path: string, at: number): Promise<number> {
  const { timeZone } = objectOf(await node.send({ path, query: { fields: 'timeZone', maxResults: '1' } }));
  const name = new Intl.DateTimeFormat('en', { timeZone: textOf(timeZone) || 'UTC', timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
