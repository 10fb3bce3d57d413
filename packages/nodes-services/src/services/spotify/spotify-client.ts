import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import type { Operation } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** Endpoints that Spotify removed for apps in development mode: February 2026 migration guide. */
const removed = /^\/v1\/(browse\/new-releases|artists\/[^/]+\/(top-tracks|related-artists)|audio-features\/)/;

/** https://developer.spotify.com/documentation/web-api */
export const spotifyClient = new ApiClient({
  service: 'Spotify',
  credentialType: 'spotifyOAuth2Api',
  baseUrl: 'https://api.spotify.com/v1',
  refusalOf({ status, url, body }) {
    const { message, reason } = objectOf(objectOf(body)['error']);
    const isRemoved = (status === 403 || status === 404) && removed.test(URL.parse(url)?.pathname ?? '');
    return {
      ...(textOf(message) !== '' && { text: textOf(message) }),
      ...(textOf(reason) !== '' && { code: textOf(reason) }),
      ...(isRemoved && { hint: 'Spotify allows this only for apps with extended quota' }),
      ...(reason === 'NO_ACTIVE_DEVICE' && { hint: 'Open Spotify on a device, and play something' }),
      ...(reason === 'PREMIUM_REQUIRED' && { hint: 'The player can only be controlled with Spotify Premium' }),
    };
  },
});

/** Kind of object → its properties `id` or `trackID`. */
export const idOf = (kind: string, name = 'id'): NodeProperty =>
  text(name, `${kind} ID`, `URI, ID, or link of the ${kind.toLowerCase()}`, { required: true });

/**
 * The ID in a URI such as `spotify:track:1`, or in a link such as
 * `https://open.spotify.com/track/1?si=2`.
 */
export function spotifyId(item: ServiceItem, name = 'id'): string {
  const idOrUrl = item.id(name).trim().slice(0, 2_000);
  return (
    /^spotify:\w+:(\w+)$/.exec(idOrUrl)?.[1] ?? /^https:\/\/open\.spotify\.com\/.*\/(\w+)(\?|$)/.exec(idOrUrl)?.[1] ?? idOrUrl
  );
}

export const pathOf = (item: ServiceItem, kind: string, more = ''): string =>
  `/${kind}/${encodeURIComponent(spotifyId(item))}${more}`;

/** A URI as given, or one of this kind for an ID or a link. */
export function uriOf(item: ServiceItem, name: string, kind: string): string {
  const idOrUrl = item.required(name).trim();
  return idOrUrl.startsWith('spotify:') ? idOrUrl : `spotify:${kind}:${spotifyId(item, name)}`;
}

const pageSize = 50;
/** Largest page of a search for apps in development mode. */
const searchPageSize = 10;
/** Spotify returns at most the first 1,000 results of a search. */
const maxFound = 1_000;

export const listProperties = listPropertiesOf();

/** A list, whose elements are in `place`, up to the limit. */
export function listed(item: ServiceItem, path: string, query: JsonObject = {}, place = ''): Promise<JsonObject[]> {
  const limit = item.limit();
  const size = Math.min(limit, pageSize);
  return item.list({ path, query: { ...query, limit: size } }, byOffset(place, size), limit);
}

/** `Search` of a resource: `playlist`, whose results are in `playlists`. */
export function search(kind: string): Operation {
  return {
    displayName: 'Search',
    description: `Searches ${kind}s by keywords`,
    properties: [
      text('query', 'Search Keyword', 'Keywords, or filters such as `artist:Queen year:1977`', { required: true }),
      ...listProperties,
      collection('filters', 'Filters', [text('market', 'Country', 'Country code, such as `DE`: only what is available there')]),
    ],
    run: (item) => {
      const limit = item.limit();
      const size = Math.min(limit, searchPageSize);
      const query = { q: item.required('query'), type: kind, market: item.text('filters.market'), limit: size };
      return item.list({ path: '/search', query }, byOffset(`${kind}s`, size, maxFound), limit);
    },
  };
}

/** Spotify lists playlists that it removed as null. */
function byOffset(place: string, size: number, max = Number.POSITIVE_INFINITY): Paging {
  const pageOf = (body: JsonValue | undefined): JsonObject => (place === '' ? objectOf(body) : objectOf(objectOf(body)[place]));
  return {
    list: (body) => objectsOf(pageOf(body)['items']),
    next({ body }, _, page) {
      const offset = page * size;
      return textOf(pageOf(body)['next']) === '' || offset + size > max ? undefined : { query: { offset } };
    },
  };
}
