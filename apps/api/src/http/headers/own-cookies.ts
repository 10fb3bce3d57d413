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
 * Other projects have workflows at this origin: with a cookie for `/webhook`, their workflows could
 * read it, or be given a session of someone else. `undefined` if no cookie can have the path.
 */
export function cookiePathOf(path: string, publicUrl: string | null): string | undefined {
  const [prefix] = /^\/[^/]+\/[^/;]+(?=\/|$)/.exec(path) ?? [];
  const cookiePath = prefix && `${new URL(publicUrl ?? 'http://localhost').pathname.replace(/\/$/, '')}${prefix}`;
  return cookiePath && cookiePath.length <= maxPathLength ? cookiePath : undefined;
}

/**
 * A cookie of a workflow for this host, and for the cookie path of the workflow or a longer one.
 * Without a `Path`, browsers would choose `/webhook` for a cookie of `/webhook/<path>`.
 */
export function confinedCookie(cookie: string, cookiePath: string): string {
  const [pair = '', ...attributes] = cookie.split(';');
  const confined = attributes.filter((attribute) => !isWide(attribute, cookiePath));
  const hasPath = confined.some((attribute) => partsOf(attribute).name === 'path');
  return [pair, ...confined, ...(hasPath ? [] : [` Path=${cookiePath}`])].join(';');
}

function isWide(attribute: string, cookiePath: string): boolean {
  const { name, value } = partsOf(attribute);
  if (name !== 'path') return name === 'domain';
  return value.length > maxPathLength || (value !== cookiePath && !value.startsWith(`${cookiePath}/`));
}

function partsOf(attribute: string): { name: string; value: string } {
  const [name = '', ...value] = attribute.split('=');
  return { name: trimmed(name).toLowerCase(), value: trimmed(value.join('=')) };
}

/** Browsers trim spaces and tabs only: with a no-break space, an attribute has another name. */
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
