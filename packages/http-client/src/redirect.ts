import type { HttpRequest } from '@sluice/node-sdk';
import type { AddressPolicy } from './address-policy.ts';
import { checkedUrl } from './checked-url.ts';
import { downgradeError } from './errors.ts';
import { type Headers, withoutBodyHeaders, withoutSecrets } from './request-headers.ts';

/** One request in a redirect chain. */
export interface Hop {
  method: string;
  url: URL;
  headers: Headers;
  body: HttpRequest['body'] | undefined;
}

/** Whether a status is a redirect. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * The next request of a redirect (RFC 9110 §15.4): 303 changes all methods except HEAD to GET; 301
 * and 302 change POST to GET, as browsers do; 307 and 308 repeat the request. Another origin
 * receives neither body nor secrets. Throws the errors of `checkedUrl`, and `HTTP_BLOCKED` for a
 * redirect from https to http.
 */
export function nextHop(hop: Hop, status: number, location: string, policy: AddressPolicy): Hop {
  const url = checkedUrl(location, policy, hop.url);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw downgradeError();
  const method = methodAfter(status, hop.method);
  const sameOrigin = url.origin === hop.url.origin;
  const keepsBody = sameOrigin && method === hop.method;
  const headers = sameOrigin ? hop.headers : withoutSecrets(hop.headers);
  return { method, url, headers: keepsBody ? headers : withoutBodyHeaders(headers), body: keepsBody ? hop.body : undefined };
}

function methodAfter(status: number, method: string): string {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET';
  if ((status === 301 || status === 302) && method === 'POST') return 'GET';
  return method;
}
