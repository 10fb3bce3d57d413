import { isAppError, userKeyed } from '@sluice/domain';
import type { HttpAuthentication, HttpDestination, HttpRequest, HttpResponse } from '@sluice/node-sdk';
import type { AddressPolicy } from './address-policy.ts';
import { checkedUrl } from './checked-url.ts';
import type { Route } from './dispatchers.ts';
import { credentialRedirectError, invalidRequestError } from './errors.ts';
import type { Hop } from './redirect.ts';
import { requestHeaders } from './request-headers.ts';

/**
 * Adds the credential to a hop. Throws `CREDENTIAL_HOST_NOT_ALLOWED`, the authentication's errors,
 * and `HTTP_INVALID_REQUEST` if it changes the origin.
 */
export async function attach(
  hop: Hop,
  authentication: HttpAuthentication | undefined,
  { policy, route, signal }: { policy: AddressPolicy; route: Route; signal: AbortSignal },
): Promise<Hop> {
  authentication?.assertAllowed?.(destinationOf(hop, route));
  if (!authentication?.authenticate) return hop;
  const { authenticate } = authentication;
  return authenticated(hop, await attempt(() => authenticate(toRequest(hop), signal), signal), policy);
}

export function destinationOf({ url }: Hop, { tls, proxy }: Route): HttpDestination {
  return { url: url.href, ...(proxy && { proxy: proxy.origin }), ...(tls && { tls }) };
}

/**
 * The new authentication after a 401 if the session was renewed; otherwise `undefined`. It is not
 * renewed again.
 */
export async function renewedAfterRefusal(
  authentication: HttpAuthentication | undefined,
  signal: AbortSignal,
): Promise<HttpAuthentication | undefined> {
  if (!authentication?.renewed) return undefined;
  const fresh = await attempt(() => authentication.renewed?.(signal), signal);
  if (!fresh) return undefined;
  const { renewed: _, ...once } = fresh;
  return once;
}

/** The hop that responds to a challenge; `undefined` if that is impossible. */
export function responseToChallenge(
  hop: Hop,
  response: HttpResponse,
  authentication: HttpAuthentication | undefined,
  policy: AddressPolicy,
): Hop | undefined {
  const next = authentication?.answerChallenge?.(toRequest(hop), response);
  return next && authenticated(hop, next, policy);
}

/** An error of the authentication must not look like a network error. */
async function attempt<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw isAppError(error) ? error : invalidRequestError('its authentication failed', error);
  }
}

/**
 * The URL of a redirect to another origin, which may repeat values added by authentication. Such
 * query parameters are removed; a credential anywhere else in it ends the chain with
 * `HTTP_BLOCKED`.
 */
export function withoutCredentials(next: URL, plain: URL, sent: URL): URL {
  const added = addedTexts(plain, sent);
  const url = new URL(next);
  for (const [name, value] of next.searchParams) {
    if (added.has(value)) url.searchParams.delete(name, value);
  }
  const left = textsOf(url);
  if ([...added].some((text) => left.some((part) => part.includes(text)))) throw credentialRedirectError();
  return url;
}

/** Query values and path segments that occur only in the sent URL. */
function addedTexts(plain: URL, sent: URL): Set<string> {
  const known = new Set(textsOf(plain));
  return new Set(textsOf(sent).filter((text) => text !== '' && !known.has(text)));
}

function textsOf(url: URL): string[] {
  return [...url.searchParams.values(), ...url.pathname.split('/').map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toRequest({ method, url, headers, body }: Hop): HttpRequest {
  return { method, url: url.href, headers: userKeyed(headers), ...(body !== undefined && { body }) };
}

function authenticated(hop: Hop, request: HttpRequest, policy: AddressPolicy): Hop {
  const url = checkedUrl(request.url, policy);
  if (url.origin !== hop.url.origin) throw invalidRequestError('its authentication leads to another origin');
  return { method: hop.method, url, headers: requestHeaders(request.headers), body: request.body };
}
