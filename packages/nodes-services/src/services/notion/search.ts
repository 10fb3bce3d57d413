import { isJsonObject, type JsonObject, type JsonValue, mapSliced } from '@sluice/node-sdk';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pageSize, queried } from './notion-client.ts';
import { simplified } from './simplified.ts';

/**
 * Searches the pages and databases shared with the integration:
 * https://developers.notion.com/reference/post-search
 */
export async function search(
  item: ServiceItem,
  { query = '', filter }: { query?: string; filter?: JsonObject },
): Promise<JsonValue> {
  const [sort] = item.entries('options.sort.sortValue');
  const { direction = 'ascending', timestamp = 'last_edited_time' } = sort ?? {};
  return listed(item, '/search', {
    ...(query !== '' && { query }),
    ...(filter && { filter }),
    ...(sort && { sort: { direction, timestamp } }),
  });
}

/** Sends a list query. */
export async function listed(item: ServiceItem, path: string, json: JsonObject): Promise<JsonValue> {
  const limit = item.limit();
  const records = await item.list({ path, json: { ...json, page_size: Math.min(limit, pageSize) } }, queried, limit);
  return item.toggle('simple', true) ? mapSliced(records, (one) => simplified(one, item.version)) : records;
}

/** A page or a database in the form that the node returns. */
export function shown(item: ServiceItem, record: JsonValue | undefined): JsonValue | undefined {
  return item.toggle('simple', true) && isJsonObject(record) ? simplified(record, item.version) : record;
}
