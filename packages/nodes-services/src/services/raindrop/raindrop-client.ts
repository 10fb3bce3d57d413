import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developer.raindrop.io */
export const client = new ApiClient({
  service: 'Raindrop',
  credentialType: 'raindropOAuth2Api',
  baseUrl: 'https://api.raindrop.io/rest/v1',
  refusesWithSuccess: true,
  refusalOf({ status, body }) {
    const { result, errorMessage } = objectOf(body);
    if (status >= 200 && status <= 299 && result !== false) return undefined;
    return typeof errorMessage === 'string' ? { text: errorMessage } : {};
  },
});

/** The record in a response. */
export async function record(item: ServiceItem, request: ApiRequest, member = 'item'): Promise<JsonValue> {
  return objectOf(await item.send(request))[member] ?? null;
}

export const pageSize = 50;

/** Pages are counted from 0. A full page may not be the last one. */
export const pages: Paging = {
  list: 'items',
  next: (_, count, page) => (count === page * pageSize ? { query: { page } } : undefined),
};

/**
 * A collection in a path; negative numbers are collections of the system, such as -1 for
 * "Unsorted".
 */
export const collectionPath = (item: ServiceItem, path = 'collectionId') => encodeURIComponent(item.required(path).trim());

/** A collection in a body. */
export function reference(item: ServiceItem, path = 'collectionId'): JsonObject {
  const id = item.required(path).trim();
  return { $id: /^-?\d{1,15}$/.test(id) ? Number(id) : id };
}
