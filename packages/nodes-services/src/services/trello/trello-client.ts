import type { JsonObject } from '@sluice/node-sdk';
import { ApiClient } from '../../shared/api-client.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developer.atlassian.com/cloud/trello/rest/ */
export const trelloClient = new ApiClient({
  service: 'Trello',
  credentialType: 'trelloApi',
  baseUrl: 'https://api.trello.com/1',
  refusalOf({ body }) {
    return typeof body === 'string' && body.length < 200 ? { text: body } : {};
  },
});

/** Matches browser URLs. */
const cardUrl = /trello\.com\/c\/(\w+)/;
const boardUrl = /trello\.com\/b\/(\w+)/;

const urls: ReadonlyMap<string, RegExp> = new Map([
  ['boards', boardUrl],
  ['cards', cardUrl],
]);

/** Path of an object that a parameter names by ID or URL. */
export function pathOf(item: ServiceItem, kind: string, parameter: string, more = ''): string {
  const id = item.id(parameter, urls.get(kind));
  return `/${kind}/${encodeURIComponent(urls.get(kind)?.exec(id.slice(0, 2_000))?.[1] ?? id)}${more}`;
}

/** Trello has no pages for these lists: the limit applies to the response. */
export async function limited(item: ServiceItem, path: string, query: JsonObject = {}): Promise<JsonObject[]> {
  return item.list({ path, query }, onePage());
}
