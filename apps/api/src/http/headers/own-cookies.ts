import type { IncomingHttpHeaders } from 'node:http';

/**
 * Prefix of this service's cookie names. Workflows are served at the same origin: they may neither
 * set such cookies nor read them.
 */
export const ownCookiePrefix = 'sluice-connect-';

/** Browsers send a cookie without a name as its value alone, which looks like a named one. */
const ownCookie = new RegExp(`^[\\s=]*(?:__host-|__secure-)?${ownCookiePrefix}`, 'i');

/** Whether browsers treat this `Set-Cookie` header, or this pair, as a cookie of the service. */
export function isOwnCookie(text: string): boolean {
  return ownCookie.test(text);
}

/** Maximum length of a cookie's path, in characters (RFC 6265bis). */
const maxPathLength = 1_024;

/**
 * Path of the cookies that a workflow may set, as browsers see it: `/webhook/<first segment>`.
 * Workflows of other projects have the same origin: they could read a cookie for `/webhook`, and
 * one that they set would reach this workflow. `undefined` if no cookie can have the path.
 */
export function cookiePathOf(path: string, publicUrl: string | null): string | undefined {
  const [prefix] = /^\/[^/]+\/[^/;]+(?=\/|$)/.exec(path) ?? [];
  const cookiePath = prefix && `${new URL(publicUrl ?? 'http://localhost').pathname.replace(/\/$/, '')}${prefix}`;
  return cookiePath && cookiePath.length <= maxPathLength ? cookiePath : undefined;
}

/**
 * Confines a workflow's `Set-Cookie` header to this host and to `cookiePath` or a path below it.
 * Without a `Path`, browsers would choose `/webhook` for a cookie of `/webhook/<path>`.
 */
export function confinedCookie(cookie: string, cookiePath: string): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const confined = attributes.filter((attribute) => !widensCookie(attribute, cookiePath));
  const hasPath = confined.some((attribute) => partsOf(attribute).name === 'path');
  return [pair, ...confined, ...(hasPath ? [] : [` Path=${cookiePath}`])].join(';');
}

function widensCookie(attribute: string, cookiePath: string): boolean {
  const { name, value } = partsOf(attribute);
  if (name !== 'path') return name === 'domain';
  return value.length > maxPathLength || (value !== cookiePath && !value.startsWith(`${cookiePath}/`));
}

function partsOf(attribute: string): { name: string; value: string } {
  const [name = '', ...value] = attribute.split('=');
  return { name: trimmed(name).toLowerCase(), value: trimmed(value.join('=')) };
}

/** Trims what browsers trim, spaces and tabs: a no-break space is part of an attribute’s name. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
}

/** The headers without the cookies of the service. */
export function withoutOwnCookies(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const pairs = headers.cookie?.split(';') ?? [];
  if (!pairs.some(isOwnCookie)) return headers;
  const { cookie: _, ...others } = headers;
  const remaining = pairs.filter((pair) => !isOwnCookie(pair)).map((pair) => pair.trim());
  return remaining.length === 0 ? others : { ...others, cookie: remaining.join('; ') };
}
