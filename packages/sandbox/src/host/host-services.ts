import { maxServiceLength } from '../limits.ts';
import { type HashQuery, type HmacQuery, hash, hmac, type RandomQuery, random } from './host-crypto.ts';
import { type IntlQuery, intl } from './host-intl.ts';
import { type EncodeQuery, encode, type UrlQuery, url } from './host-text.ts';
import { offsetsOfYear, type ZoneQuery } from './host-zones.ts';

/*
 * QuickJS has no time zones, locales, hashes, or URL parser. This is the guest's only host
 * function: JSON text in, JSON text out. It keeps no state between calls except caches of results
 * that depend only on the query.
 */

/** A query, identified by its only member. */
export type HostQuery =
  | { offsets: ZoneQuery }
  | { intl: IntlQuery }
  | { hash: HashQuery }
  | { hmac: HmacQuery }
  | { random: RandomQuery }
  | { encode: EncodeQuery }
  | { url: UrlQuery }
  | { memoryFull: true };

/**
 * Never throws. Returns null if the query has no reply or the reply is too long. `isMemoryFull`:
 * state of the calling guest.
 */
export function hostServices(request: string, isMemoryFull: () => boolean = () => false): string {
  if (request.length > maxServiceLength) return 'null';
  try {
    return JSON.stringify(replyTo(JSON.parse(request) as HostQuery, isMemoryFull) ?? null);
  } catch {
    return 'null';
  }
}

function replyTo(query: HostQuery, isMemoryFull: () => boolean): unknown {
  if ('memoryFull' in query) return isMemoryFull();
  if ('offsets' in query) return offsetsOfYear(query.offsets);
  if ('intl' in query) return intl(query.intl);
  if ('hash' in query) return hash(query.hash);
  if ('hmac' in query) return hmac(query.hmac);
  if ('random' in query) return random(query.random);
  if ('encode' in query) return encode(query.encode);
  return url(query.url);
}
