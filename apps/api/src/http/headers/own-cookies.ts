import type { IncomingHttpHeaders } from 'node:http';

/**
 * Prefix of this service's cookie names. Workflows are served at the same origin: they may neither
 * set such cookies nor read them.
 */
export const ownCookiePrefix = 'sluice-connect-';

/** Browsers send a cookie without a name as its value alone, which looks like a named one. */
const ownCookie = new RegExp(`^[\\s=]*(?:__host-|__secure-)?${ownCookiePrefix}`, 'i');

/** Whether a browser keeps this `Set-Cookie` header, or sends this pair, as a cookie of the service. */
export function isOwnCookie(text: string): boolean {
  return ownCookie.test(text);
}

/** First segments of workflow URLs. */
const ofWorkflows = new Set(['webhook', 'webhook-test', 'webhook-waiting', 'form', 'form-test', 'form-waiting']);

/**
 * A cookie of a workflow for its own addresses. Browsers would also send one for `/` with the requests of the
 * dashboard, which fail when their cookies are too long, and one with a `Domain` to other services. Without
 * these attributes, it is for this host, and for the directory of the request.
 */
export function confinedCookie(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(';');
  return [pair, ...attributes.filter((attribute) => !isWide(attribute))].join(';');
}

function isWide(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=').map((part) => part.trim());
  const isPath = name.toLowerCase() === 'path';
  return isPath ? !value.split('/').some((segment) => ofWorkflows.has(segment)) : name.toLowerCase() === 'domain';
}

/** The headers without the cookies of the service. */
export function withoutOwnCookies(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const pairs = headers.cookie?.split(';') ?? [];
  if (!pairs.some(isOwnCookie)) return headers;
  const { cookie: _, ...others } = headers;
  const remaining = pairs.filter((pair) => !isOwnCookie(pair)).map((pair) => pair.trim());
  return remaining.length === 0 ? others : { ...others, cookie: remaining.join('; ') };
}
