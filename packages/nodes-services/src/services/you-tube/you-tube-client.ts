import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { googleClient } from '../../shared/google-client.ts';
import { asText, filledFields, objectOf, objectsOf } from '../../shared/json-values.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.google.com/youtube/v3/docs */
export const youTubeClient = googleClient('YouTube', 'https://www.googleapis.com/youtube/v3', 'youTubeOAuth2Api');
export const uploadUrl = 'https://www.googleapis.com/upload/youtube/v3';

const maxPage = 50;

/** A resource's parts that the author selected; `*`: all parts. */
export function partsOf(item: ServiceItem, all: readonly string[]): string {
  const chosen = namesParameter(item.context, 'part', item.index);
  return (chosen.length === 0 || chosen.includes('*') ? all : chosen).join(',');
}

/** Elements of a list, limited by `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: Record<string, JsonValue | undefined>): Promise<JsonObject[]> {
  const limit = item.limit(25);
  const sized = { ...query, maxResults: asText(Math.min(limit, maxPage)) };
  return item.list({ path, query: sized }, cursorPaging('items', 'nextPageToken', 'pageToken'), limit);
}

/** A resource by its ID. Google returns an empty list if it does not exist. */
export async function found(
  item: ServiceItem,
  path: string,
  id: string,
  query: Record<string, JsonValue | undefined>,
): Promise<JsonObject> {
  const body = objectOf(await item.send({ path, query: { ...query, id } }));
  const [resource] = objectsOf(body['items']);
  if (resource) return resource;
  throw item.error(`YouTube has no ${path.slice(1, -1)} with this ID`, 'Check the ID, and that the account may see it');
}

interface Change {
  /** New values of each part. */
  parts: Readonly<Record<string, JsonObject>>;
  query?: Record<string, JsonValue | undefined>;
}

/**
 * Changes a resource's parts. A request replaces whole parts, so the current values are read and
 * merged with the new ones.
 */
export async function changed(item: ServiceItem, path: string, id: string, change: Change): Promise<JsonValue | undefined> {
  const before = await found(item, path, id, { part: Object.keys(change.parts).join(',') });
  return replaced(item, path, { ...before, id }, change);
}

/** Like `changed`, for a resource whose parts have been read. */
export function replaced(
  item: ServiceItem,
  path: string,
  before: JsonObject,
  { parts, query = {} }: Change,
): Promise<JsonValue | undefined> {
  const { id = '' } = before;
  const part = Object.keys(parts).join(',');
  const merged = Object.entries(parts).map(([name, values]) => [name, { ...objectOf(before[name]), ...values }]);
  return item.send({ method: 'PUT', path, query: { part, ...query }, json: { id, ...Object.fromEntries(merged) } });
}

/** Parts with at least one value. */
export function filledParts(
  parts: Readonly<Record<string, Record<string, JsonValue | undefined>>>,
): Record<string, JsonObject> {
  const filled = Object.entries(parts).map(([name, values]): [string, JsonObject] => [name, filledFields(values)]);
  return Object.fromEntries(filled.filter(([, values]) => Object.keys(values).length > 0));
}

/** Comma-separated tags; `undefined` if there are no tags. */
export function tagsOf(item: ServiceItem, path: string): string[] | undefined {
  const tags = namesParameter(item.context, path, item.index);
  return tags.length > 0 ? tags : undefined;
}
