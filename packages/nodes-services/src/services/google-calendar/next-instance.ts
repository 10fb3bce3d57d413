import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { calendarOf, eventsPath } from './google-calendar-client.ts';

/** The first instance of a recurring event that has not ended; `undefined` after the last one. */
export async function nextInstance(
  item: ServiceItem,
  id: string,
  query: Record<string, JsonValue | undefined> = {},
): Promise<JsonObject | undefined> {
  const nextQuery = { ...query, timeMin: new Date().toISOString(), maxResults: '1' };
  const body = objectOf(await item.send({ path: `${eventsPath(calendarOf(item), id)}/instances`, query: nextQuery }));
  return objectsOf(body['items'])[0];
}
