import { isJsonObject, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developer.wordpress.org/rest-api/reference/ (`wp/v2`) */
export const wordpressClient = new ApiClient({
  service: 'WordPress',
  credentialType: 'wordpressApi',
  baseUrl: (credential) => `${withoutFinalSlashes(optionalCredentialText(credential, 'url'))}/wp-json/wp/v2`,
  refusalOf({ body }) {
    const { code } = objectOf(body);
    return typeof code === 'string' ? { code } : {};
  },
});

/** Maximum number of elements per page of a list. */
export const pageSize = 100;

/** Pages are numbered, and a header contains the last page number. */
export const pages: Paging = {
  list: '',
  next: ({ headers }, _, page) => (page < Number(headers['x-wp-totalpages']) ? { query: { page: page + 1 } } : undefined),
};

/** Member names that differ from the API names by more than case style. */
const otherNames: Readonly<Record<string, string>> = {
  authorId: 'author',
  excludedCategories: 'categories_exclude',
  excludedTags: 'tags_exclude',
  featuredMediaId: 'featured_media',
  orderBy: 'orderby',
  pageTemplate: 'template',
  parentId: 'parent',
  postTemplate: 'template',
};

/**
 * A collection's members under their API names. A fixed collection with one entry is replaced by
 * its only value.
 */
export function membersOf(item: ServiceItem, path: string): JsonObject {
  const named = Object.entries(item.fields(path)).map(([name, value]) => [apiName(name), plain(value)]);
  return Object.fromEntries(named.filter(([, value]) => value !== '')) as JsonObject;
}

/**
 * Like `membersOf`, for a query. WordPress reads only the last of repeated parameters, so lists are
 * comma-separated.
 */
export function queryOf(item: ServiceItem, path: string): JsonObject {
  const members = Object.entries(membersOf(item, path));
  return Object.fromEntries(members.map(([name, value]) => [name, Array.isArray(value) ? value.map(asText).join() : value]));
}

function apiName(name: string): string {
  return otherNames[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `{ values: { postTemplate } }` → the template. */
function plain(value: JsonObject[string] | undefined): JsonObject[string] {
  if (!isJsonObject(value)) return value ?? '';
  const { values = value } = value;
  return isJsonObject(values) ? (Object.values(values)[0] ?? '') : values;
}
