import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { googleClient } from '../../shared/google-client.ts';
import { filledFields, objectOf, objectsOf } from '../../shared/json-values.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.google.com/youtube/v3/docs */
export const youTubeClient = googleClient('YouTube', 'https://www.googleapis.com/youtube/v3', 'youTubeOAuth2Api');
export const uploadUrl = 'https://www.googleapis.com/upload/youtube/v3';

const maxPage = 50;

/** The parts of a resource that the author chose; `*`: all of them. */
export function partsOf(item: ServiceItem, all: readonly string[]): string {
  const chosen = namesParameter(item.context, 'part', item.index);
  return (chosen.length === 0 || chosen.includes('*') ? all : chosen).join(',');
}

/** Elements of a list, by `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: Record<string, JsonValue | undefined>): Promise<JsonObject[]> {
  const limit = item.limit(25);
  const sized = { ...query, maxResults: String(Math.min(limit, maxPage)) };
  return item.list({ path, query: sized }, cursorPaging('items', 'nextPageToken', 'pageToken'), limit);
}

/** A resource by its ID. Google answers with an empty list if there is none. */
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
 * Changes parts of a resource. A request replaces whole parts, so the present values are read, and
 * the new ones are set among them.
 */
export async function changed(item: ServiceItem, path: string, id: string, change: Change): Promise<JsonValue | undefined> {
  const before = await found(item, path, id, { part: Object.keys(change.parts).join(',') });
  return replaced(item, path, { ...before, id }, change);
}

/** As `changed`, for a resource whose parts have been read. */
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

/** Tags separated by commas; `undefined` if there are none. */
export function tagsOf(item: ServiceItem, path: string): string[] | undefined {
  const tags = namesParameter(item.context, path, item.index);
  return tags.length > 0 ? tags : undefined;
}
