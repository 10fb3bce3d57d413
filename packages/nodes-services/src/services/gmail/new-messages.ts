import {
  type JsonObject,
  type JsonValue,
  NodeApiError,
  NodeOperationError,
  type PollContext,
  sortSliced,
} from '@sluice/node-sdk';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceNode } from '../../shared/service-item.ts';
import { gmailClient, idPath, listed } from './gmail-client.ts';
import { searchQuery } from './search-query.ts';

/**
 * The position of a poll: the mailbox history ID, and later messages that no search has found yet,
 * because the Gmail index may lag. `latestMs`: time of the latest message, for an expired history.
 * `waiting`: IDs of found messages beyond the limit of a poll.
 */
export interface Position extends JsonObject {
  historyId: string;
  latestMs: number;
  pending: Candidate[];
  waiting: string[];
}

interface Candidate extends JsonObject {
  id: string;
  /** Time, by the worker's clock, at which the search for the message ends. */
  untilMs: number;
}

interface Dated extends Candidate {
  /** Arrival time. */
  atMs: number;
  /** Whether it may start the workflow: neither a draft nor a message that was only sent. */
  isReceived: boolean;
}

interface Added {
  ids: string[];
  /** Position at which the next poll continues. */
  historyId: string;
  /**
   * Time up to which messages are known, besides the messages in `ids`; 0 if the history defines
   * it.
   */
  readMs: number;
}

interface Arrived {
  /** IDs of messages that pass the filters, in order of arrival. */
  arrived: string[];
  position: Pick<Position, 'historyId' | 'latestMs' | 'pending'>;
}

/** Messages that one poll handles; the next poll continues after them. */
const maxMessages = 500;

/** A page of the history has up to 500 records, most of them with one message. */
const maxAdded = 10_000;

/** How long polls search for a message, including a message that the filters exclude. */
const searchedMs = 10 * 60_000;

/** Messages further apart than this are searched separately. */
const clusterMs = 60 * 60_000;

/** Concurrent requests: Gmail allows 50 messages per second and user. */
const maxConcurrentReads = 5;

/** Maximum number of messages in a poll, regardless of the node's setting. */
const mostPerPoll = 50;

/**
 * IDs of messages that arrived since the last poll and pass the filters, in order of arrival.
 * Messages beyond the limit of a poll wait for the next polls, which return them before they read
 * the history again. `position`: where the next poll continues.
 */
export async function newMessages(node: ServiceNode<PollContext>): Promise<{ ids: string[]; position: Position }> {
  const { context } = node;
  const before = positionIn(context.cursor);
  if (!before) return { ids: [], position: await currentPosition(node) };
  const limit = limitOf(node);
  const due = await existing(node, before.waiting.slice(0, limit));
  const later = before.waiting.slice(limit);
  if (later.length > 0 || due.length === limit) return { ids: due, position: { ...before, waiting: later } };
  const { arrived, position } = await readArrived(node, before);
  const all = [...due, ...arrived];
  return { ids: all.slice(0, limit), position: { ...position, waiting: all.slice(limit) } };
}

/** Maximum number of messages that a poll returns. */
function limitOf(node: ServiceNode): number {
  if (!limited(node)) return Number.POSITIVE_INFINITY;
  return Math.min(Math.max(1, Math.trunc(node.number('maxResults', 10))), mostPerPoll);
}

/** Reads the history after a position, and searches for its messages and those still pending. */
async function readArrived(node: ServiceNode, before: Position): Promise<Arrived> {
  const { ids, historyId, readMs } = await addedSince(node, before);
  const untilMs = Date.now() + searchedMs;
  const added = ids.map((id) => ({ id, untilMs }));
  const byId = new Map([...added, ...before.pending].map((one) => [one.id, one]));
  const candidates = await sortSliced(await dated(node, [...byId.values()]), (a, b) => a.atMs - b.atMs);
  const indexed = await searched(node, candidates);
  const pending = candidates
    .filter(({ id, untilMs: end }) => !indexed.has(id) && end > Date.now())
    .map(({ id, untilMs: end }) => ({ id, untilMs: end }));
  const latestMs = Math.max(before.latestMs, readMs, ...candidates.map(({ atMs }) => atMs));
  const arrived = candidates.filter(({ id }) => indexed.has(id)).map(({ id }) => id);
  return { arrived, position: { historyId, latestMs, pending } };
}

/** Since version 1.4, polls have a limit, and messages scheduled to be sent later are omitted. */
const limited = (node: ServiceNode): boolean => node.version >= 1.4;

/** Query parameters for a trigger's filters. */
export async function arrivedQuery(node: ServiceNode): Promise<Record<string, JsonValue | undefined>> {
  const { q = '', ...query } = await searchQuery(node);
  return { ...query, q: limited(node) ? `${asText(q)} -in:scheduled`.trim() : q };
}

/** IDs of the messages that still exist. */
async function existing(node: ServiceNode, ids: readonly string[]): Promise<string[]> {
  return (
    await dated(
      node,
      ids.map((id) => ({ id, untilMs: 0 })),
    )
  ).map(({ id }) => id);
}

function positionIn(cursor: Readonly<JsonObject> | undefined): Position | undefined {
  if (!cursor) return undefined;
  const pending = objectsOf(cursor['pending']).map(({ id, untilMs }) => ({ id: textOf(id), untilMs: Number(untilMs) }));
  const waiting = [cursor['waiting'] ?? []].flat().map(textOf);
  return { historyId: textOf(cursor['historyId']), latestMs: Number(cursor['latestMs']), pending, waiting };
}

async function currentPosition(node: ServiceNode): Promise<Position> {
  const { historyId } = objectOf(await node.send({ path: '/profile' }));
  const [latest] = await listed(node, 'messages', { includeSpamTrash: 'true' }, 1);
  const [newest] = latest ? await dated(node, [{ id: textOf(latest['id']), untilMs: 0 }]) : [];
  return { historyId: asText(historyId ?? ''), latestMs: newest?.atMs ?? 0, pending: [], waiting: [] };
}

/**
 * https://developers.google.com/workspace/gmail/api/guides/sync: the history has each message once,
 * in the order in which they were added, whatever their dates.
 */
async function addedSince(node: ServiceNode, { historyId, latestMs }: Position): Promise<Added> {
  const ids: string[] = [];
  const query: Record<string, JsonValue> = { startHistoryId: historyId, historyTypes: 'messageAdded', maxResults: '500' };
  try {
    for (;;) {
      const body = objectOf(await node.send({ path: '/history', query }));
      const records = objectsOf(body['history']);
      for (const { messagesAdded } of records)
        for (const { message } of objectsOf(messagesAdded)) ids.push(textOf(objectOf(message)['id']));
      assertFew(ids);
      const next = textOf(body['nextPageToken']);
      if (next === '') return { ids, historyId: asText(body['historyId'] ?? historyId), readMs: 0 };
      if (ids.length >= maxMessages) return { ids, historyId: asText(records.at(-1)?.['id'] ?? historyId), readMs: 0 };
      query['pageToken'] = next;
    }
  } catch (error) {
    if (!isExpired(error)) throw error;
    return addedAfter(node, historyId, latestMs);
  }
}

function assertFew({ length }: readonly string[]): void {
  if (length <= maxAdded) return;
  const description = 'Deactivate the workflow and activate it again, to start with the next message';
  throw new NodeOperationError(`a page of the history has more than ${maxAdded} messages`, { description });
}

/** Gmail keeps the history for at least a week. */
function isExpired(error: unknown): boolean {
  return error instanceof NodeApiError && objectOf(error.details as JsonValue)['status'] === 404;
}

/**
 * Messages after the latest known one, by their time. If there are more than a poll handles,
 * returns the earliest ones and keeps the expired ID: the next poll takes this path again.
 */
async function addedAfter(node: ServiceNode, expiredId: string, latestMs: number): Promise<Added> {
  const { historyId } = objectOf(await node.send({ path: '/profile' }));
  // The search bound has a resolution of one second and is exclusive.
  const query = { q: `after:${Math.floor(latestMs / 1000) - 1}`, includeSpamTrash: 'true' };
  const latestFirst = await listed(node, 'messages', query, Number.POSITIVE_INFINITY);
  const hasMore = latestFirst.length > maxMessages;
  const earliest = latestFirst.slice(-maxMessages).map(({ id }) => ({ id: textOf(id), untilMs: 0 }));
  const after = (await allDated(node, earliest)).filter(({ atMs }) => atMs > latestMs);
  const readMs = Math.max(latestMs, ...after.map(({ atMs }) => atMs));
  // More messages may have the last time: the next poll reads all messages with that time.
  const before = hasMore ? after.filter(({ atMs }) => atMs < readMs) : after;
  const [readable, knownMs] = before.length > 0 ? [before, Math.max(...before.map(({ atMs }) => atMs))] : [after, readMs];
  const ids = readable.filter((one) => one.isReceived).map(({ id }) => id);
  return { ids, historyId: hasMore ? expiredId : asText(historyId ?? ''), readMs: knownMs };
}

/** Candidates that may start the workflow. */
async function dated(node: ServiceNode, candidates: readonly Candidate[]): Promise<Dated[]> {
  return (await allDated(node, candidates)).filter((one) => one.isReceived);
}

/** Candidates with their arrival times, excluding deleted messages. */
async function allDated(node: ServiceNode, candidates: readonly Candidate[]): Promise<Dated[]> {
  const results: Dated[] = [];
  for (let start = 0; start < candidates.length; start += maxConcurrentReads) {
    const reads = candidates.slice(start, start + maxConcurrentReads).map(async (one) => {
      const path = idPath('messages', one.id);
      const response = await gmailClient.exchange(node.access, { path, query: { format: 'minimal' }, accepts: [404] });
      const { internalDate, labelIds } = objectOf(response.body);
      if (response.status === 404) return [];
      return [{ ...one, atMs: Number(internalDate ?? 0), isReceived: isReceived(node, labelIds) }];
    });
    results.push(...(await Promise.all(reads)).flat());
  }
  return results;
}

function isReceived(node: ServiceNode, labelIds: JsonValue | undefined): boolean {
  const labels = new Set([labelIds ?? []].flat());
  if (labels.has('DRAFT')) return node.toggle('filters.includeDrafts');
  return !labels.has('SENT') || labels.has('INBOX');
}

/**
 * IDs of the candidates that match the filters. They are sorted by time; candidates close together
 * share a search.
 */
async function searched(node: ServiceNode, candidates: readonly Dated[]): Promise<ReadonlySet<string>> {
  const { q = '', ...query } = await arrivedQuery(node);
  const ids = new Set<string>();
  for (let start = 0; start < candidates.length; ) {
    let end = start + 1;
    while (end < candidates.length && timeOf(candidates[end]) - timeOf(candidates[end - 1]) < clusterMs) end++;
    // Search bounds have a resolution of one second and are exclusive.
    const after = Math.floor(timeOf(candidates[start]) / 1000) - 1;
    const before = Math.floor(timeOf(candidates[end - 1]) / 1000) + 2;
    const terms = { ...query, q: `${asText(q)} after:${after} before:${before}`.trim() };
    for (const { id } of await listed(node, 'messages', terms, Number.POSITIVE_INFINITY)) ids.add(textOf(id));
    start = end;
  }
  return ids;
}

const timeOf = (candidate: Dated | undefined): number => candidate?.atMs ?? 0;
