import { type HashQuery, type HmacQuery, hash, hmac, type RandomQuery, random } from './host-crypto.ts';
import { type IntlQuery, intl } from './host-intl.ts';
import { type EncodeQuery, encode, type UrlQuery, url } from './host-text.ts';
import { offsetsOfYear, type ZoneQuery } from './host-zones.ts';
import { maxServiceLength } from './limits.ts';

/*
 * QuickJS knows no time zones, no locales, no hashes and no URLs. This is the one function that the guest has of the host: JSON
 * text in, JSON text out. It keeps nothing of one call for the next but caches of what depends on the question alone.
 */

/** One question, named by its only member. */
export type HostQuery =
  | { offsets: ZoneQuery }
  | { intl: IntlQuery }
  | { hash: HashQuery }
  | { hmac: HmacQuery }
  | { random: RandomQuery }
  | { encode: EncodeQuery }
  | { url: UrlQuery }
  | { memoryFull: true };

/** Never throws. What cannot be answered, or is too long, is null. `isMemoryFull`: of the guest that asks. */
export function hostServices(request: string, isMemoryFull: () => boolean = () => false): string {
  if (request.length > maxServiceLength) return 'null';
  try {
    return JSON.stringify(answer(JSON.parse(request) as HostQuery, isMemoryFull) ?? null);
  } catch {
    return 'null';
  }
}

function answer(query: HostQuery, isMemoryFull: () => boolean): unknown {
  if ('memoryFull' in query) return isMemoryFull();
  if ('offsets' in query) return offsetsOfYear(query.offsets);
  if ('intl' in query) return intl(query.intl);
  if ('hash' in query) return hash(query.hash);
  if ('hmac' in query) return hmac(query.hmac);
  if ('random' in query) return random(query.random);
  if ('encode' in query) return encode(query.encode);
  return url(query.url);
}
