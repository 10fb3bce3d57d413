import { createHash } from 'node:crypto';
import {
  type JsonObject,
  type JsonValue,
  mapSliced,
  NodeOperationError,
  type NodeType,
  type PollContext,
  pollTimesProperty,
} from '@sluice/node-sdk';
import { requiredText } from '../../shared/parameters.ts';
import { text } from '../../shared/properties.ts';
import { loadFeed } from '../rss-feed-read/load-feed.ts';

/** Remembered entries that the feed no longer shows: a feed may show an entry again. */
const maxPast = 5_000;
/** Maximum number of remembered entries: their hashes take 1 MB as JSON, the limit of a cursor. */
const maxRemembered = 40_000;

/** Starts with new entries in a feed. */
export const rssFeedReadTrigger: NodeType = {
  description: {
    displayName: 'RSS Feed Trigger',
    name: 'rss-feed-read-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when an RSS or Atom feed has new entries, with one item per entry. Entries of the first poll are considered known. A manual run outputs the first entry',
    defaults: { name: 'RSS Feed Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    properties: [pollTimesProperty, text('feedUrl', 'Feed URL', 'Absolute, http or https', { required: true })],
    icon: 'fa:rss',
    iconColor: 'orange',
    subtitle: '={{ $parameter["feedUrl"] }}',
  },
  async poll(context) {
    const url = requiredText(context, 'feedUrl', 0).trim();
    const entries = await loadFeed(context, url, { itemIndex: 0 });
    const fresh = context.mode === 'manual' ? entries.slice(0, 1) : await freshEntries(context, entries);
    return fresh.length > 0 ? fresh.map((json) => ({ json })) : null;
  },
};

/** Entries that no earlier poll returned; stores this poll's entries in the cursor. */
async function freshEntries(context: PollContext, entries: readonly JsonObject[]): Promise<JsonObject[]> {
  const before = rememberedIn(context.cursor);
  const marks = await mapSliced(entries, markOf);
  context.saveCursor({ seen: remembered(new Set(marks), before) });
  if (!before) return [];
  return entries.filter((_, index) => {
    const mark = marks[index] ?? '';
    const isNew = !before.has(mark);
    before.add(mark);
    return isNew;
  });
}

/**
 * Includes all entries that the feed shows: an omitted entry would be considered new at the next
 * poll.
 */
function remembered(entryIds: ReadonlySet<string>, before: ReadonlySet<JsonValue> = new Set()): JsonValue[] {
  if (entryIds.size > maxRemembered)
    throw new NodeOperationError(`the feed has ${entryIds.size} entries, but at most ${maxRemembered} can be remembered`, {
      description: 'Use a shorter feed, such as the entries of the last days: most services have a parameter for this',
    });
  return [...new Set([...entryIds, ...before])].slice(0, Math.min(maxRemembered, entryIds.size + maxPast));
}

function rememberedIn(cursor: Readonly<JsonObject> | undefined): Set<JsonValue> | undefined {
  const seen = cursor?.['seen'];
  return Array.isArray(seen) ? new Set(seen) : undefined;
}

/** Identity of an entry: its ID, else its link, else its whole content. */
function markOf(entry: JsonObject): string {
  const identity = ['guid', 'id', 'link']
    .map((field) => entry[field])
    .find((value) => typeof value === 'string' && value !== '');
  return createHash('sha256')
    .update(JSON.stringify(identity ?? entry))
    .digest('base64url')
    .slice(0, 22);
}
