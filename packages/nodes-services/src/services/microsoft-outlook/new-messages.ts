import { isJsonObject, type JsonObject, type PollContext, TimeSlice } from '@sluice/node-sdk';
import type { ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { markOf, storedTimes, timesIn } from '../../shared/mark.ts';
import type { ServiceNode } from '../../shared/service-item.ts';
import { filterOf, outlookClient, selection } from './outlook-client.ts';

/**
 * The position of a poll: the latest message's arrival time, and marks of the messages that arrived
 * shortly before it, since Outlook may show a message later than a message that arrived after it.
 * `sentId`: the folder of sent messages, which start no workflow.
 */
interface Position {
  atMs: number;
  seen: Map<string, number>;
  sentId: string;
}

/** How late a message may appear. */
const overlapMs = 10 * 60_000;

/** Messages that one poll handles; the next poll continues after them. */
const maxMessages = 500;
const maxMarks = 40_000;
const pageSize = 100;

type MailNode = ServiceNode<PollContext>;

/**
 * Messages that arrived since the last poll and pass the filters, earliest first. Stores the next
 * position.
 */
export async function newMessages(node: MailNode): Promise<JsonObject[]> {
  const { context } = node;
  const before = positionIn(context.cursor);
  const position = before ?? (await firstPosition(node));
  const records = await readNew(node, position, before ? maxMessages : Number.POSITIVE_INFINITY);
  context.saveCursor(stored(position));
  return before ? records : [];
}

/** Reads messages that no poll has returned, and marks them. */
async function readNew(node: MailNode, position: Position, limit: number): Promise<JsonObject[]> {
  const results: JsonObject[] = [];
  const slice = new TimeSlice();
  let request: ApiRequest = laterThan(node, position);
  for (let page = 1; page <= maxPages; page++) {
    const body = objectOf(await node.send(request));
    for (const message of objectsOf(body['value'])) {
      if (results.length >= limit) return results;
      if (slice.isOver) await slice.next();
      if (isNew(position, message)) results.push(message);
    }
    const next = body['@odata.nextLink'];
    if (typeof next !== 'string') return results;
    request = { path: next };
  }
  return results;
}

/** Marks a message as seen. */
function isNew(position: Position, message: JsonObject): boolean {
  const mark = markOf(textOf(message['internetMessageId']) || textOf(message['id']));
  if (position.seen.has(mark)) return false;
  const atMs = timeOf(message);
  position.seen.set(mark, atMs);
  position.atMs = Math.max(position.atMs, atMs);
  return true;
}

/** Pages of known messages that a poll may read. */
const maxPages = 1_000;

function positionIn(cursor: Readonly<JsonObject> | undefined): Position | undefined {
  if (!cursor) return undefined;
  const seen = timesIn([cursor['seen'] ?? []].flat().map(asText));
  return { atMs: Number(cursor['atMs']), seen, sentId: textOf(cursor['sentId']) };
}

function stored({ atMs, seen, sentId }: Position): JsonObject {
  const recent = [...seen].filter(([, ms]) => ms >= atMs - overlapMs).slice(-maxMarks);
  return { atMs, seen: storedTimes(new Map(recent)), sentId };
}

/** All existing messages are known. */
async function firstPosition(node: MailNode): Promise<Position> {
  const { id } = objectOf(await node.send({ path: '/mailFolders/sentitems', query: { $select: 'id' } }));
  const query = { $select: 'id,receivedDateTime', $orderby: 'receivedDateTime desc', $top: 1 };
  const [latest = {}] = objectsOf(objectOf(await node.send({ path: '/messages', query }))['value']);
  return { atMs: timeOf(latest), seen: new Map(), sentId: textOf(id) };
}

const timeOf = ({ receivedDateTime }: JsonObject): number => Date.parse(textOf(receivedDateTime)) || 0;

function laterThan(node: MailNode, { atMs, sentId }: Position) {
  return { path: '/messages', query: { ...queryOf(node, Math.max(0, atMs - overlapMs), sentId), $top: pageSize } };
}

/** Microsoft Graph requires the sort field to come first in the filter. */
function queryOf(node: MailNode, sinceMs: number, sentId: string, order = 'asc'): Record<string, string> {
  const filters = node.fields('filters');
  const included = [filters['foldersToInclude'] ?? []].flat();
  const own = filterOf(filters);
  const conditions = [
    `receivedDateTime ge ${new Date(sinceMs).toISOString()}`,
    'isDraft eq false',
    ...(sentId === '' || included.length > 0 ? [] : [filterOf({ foldersToExclude: sentId })]),
    ...(own === '' ? [] : [own]),
  ];
  return {
    $filter: conditions.join(' and '),
    $orderby: `receivedDateTime ${order}`,
    ...selectionOf(node),
  };
}

/** Fields that polls need are always read. */
function selectionOf(node: MailNode): { $select?: string } {
  const { $select } = selection(node.text('output', 'simple'), node.context.parameter('fields', 0));
  if ($select === undefined) return {};
  return { $select: [...new Set([...$select.split(','), 'receivedDateTime', 'internetMessageId'])].join() };
}

/** Only the fields that the author selected. */
export function chosenFields(node: MailNode, message: JsonObject): JsonObject {
  if (node.text('output', 'simple') !== 'fields') return message;
  const wanted = selection('fields', node.context.parameter('fields', 0)).$select?.split(',') ?? [];
  return Object.fromEntries(Object.entries(message).filter(([name]) => wanted.includes(name) || name.startsWith('@')));
}

/** The latest message that passes the filters. */
export async function latestMessage(node: MailNode): Promise<JsonObject[]> {
  const body = await outlookClient.send(node.access, {
    path: '/messages',
    query: { ...queryOf(node, 0, '', 'desc'), $top: 1 },
  });
  return isJsonObject(body ?? null) ? objectsOf(objectOf(body)['value']).slice(0, 1) : [];
}
