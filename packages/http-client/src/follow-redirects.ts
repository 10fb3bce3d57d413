import { Readable } from 'node:stream';
import type { HttpAuthentication, HttpRequest, HttpTls } from '@sluice/node-sdk';
import { type Dispatcher, request as undiciRequest } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { attach, destinationOf, renewedAfterRefusal, responseToChallenge, withoutCredentials } from './authentication.ts';
import { checkedProxy, checkTarget } from './checked-proxy.ts';
import { checkedUrl } from './checked-url.ts';
import type { Dispatchers, Route } from './dispatchers.ts';
import { errorCode, invalidRequestError, tooManyRedirectsError } from './errors.ts';
import { checkLiteral } from './guarded-lookup.ts';
import { type Hop, isRedirect, nextHop } from './redirect.ts';
import { requestHeaders, sentHeaders } from './request-headers.ts';
import { headerText, headOf } from './response-head.ts';

/** Responses to a 401: the first, and one more if the server declares its nonce stale. */
const maxChallengeResponses = 2;

/** Sends the hops of one request and its redirects. */
interface Sender {
  policy: AddressPolicy;
  dispatchers: Dispatchers;
  route: Route;
  /** Headers whose case is preserved. */
  written: HttpRequest['headers'] | undefined;
  signal: AbortSignal;
  /** The last response. */
  response?: Dispatcher.ResponseData;
}

/** The response that ends a redirect chain, with its body unread, and its hop. */
export interface FinalResponse {
  hop: Hop;
  response: Dispatcher.ResponseData;
}

/**
 * Sends a request and follows its redirects; each hop is checked separately. Rejects with
 * `AppError`s and with undici's errors.
 */
export async function followRedirects(
  request: HttpRequest,
  signal: AbortSignal,
  policy: AddressPolicy,
  dispatchers: Dispatchers,
): Promise<FinalResponse> {
  const sender = senderFor(request, signal, policy, dispatchers);
  try {
    return await follow(request, sender);
  } catch (error) {
    sender.response?.body.on('error', () => {}).destroy(); // an unread body would keep its connection
    throw error;
  }
}

async function follow(request: HttpRequest, sender: Sender): Promise<FinalResponse> {
  const { policy, signal } = sender;
  const { maxRedirects = 0 } = request;
  let { authentication } = request;
  let hop = firstHop(request, policy);
  for (let redirects = 0; ; redirects++) {
    let sent = await attach(hop, authentication, sender);
    let response = await sendWithChallenge(sent, authentication, sender);
    const renewed = response.statusCode === 401 ? await renewedAfterRefusal(authentication, signal) : undefined;
    if (renewed && !isSpent(hop)) {
      authentication = renewed;
      await response.body.dump({ limit: 16_384, signal });
      sent = await attach(hop, authentication, sender);
      response = await sendWithChallenge(sent, authentication, sender);
    }
    const { location } = response.headers;
    if (maxRedirects === 0 || !isRedirect(response.statusCode) || typeof location !== 'string') return { hop, response };
    await response.body.dump({ limit: 16_384, signal });
    if (redirects >= maxRedirects) throw tooManyRedirectsError(maxRedirects);
    const next = nextHop({ ...hop, url: sent.url }, response.statusCode, headerText(location), policy);
    if (next.url.origin !== hop.url.origin) {
      request.authentication?.assertRedirectAllowed?.(destinationOf(next, sender.route));
      next.url = withoutCredentials(next.url, hop.url, sent.url);
      authentication = undefined;
      sender.route = { ...sender.route, tls: withoutClientCertificate(sender.route.tls) };
    }
    hop = next;
  }
}

function senderFor(request: HttpRequest, signal: AbortSignal, policy: AddressPolicy, dispatchers: Dispatchers): Sender {
  const { tls, proxy, keepHeaderCase, headers } = request;
  const route = { tls, proxy: proxy === undefined ? undefined : checkedProxy(proxy, policy) };
  return { policy, dispatchers, route, written: keepHeaderCase ? headers : undefined, signal };
}

function firstHop({ method, url, headers, body }: HttpRequest, policy: AddressPolicy): Hop {
  const name = method.toUpperCase();
  if (!/^[A-Z]{1,32}$/.test(name) || name === 'CONNECT') throw invalidRequestError('its method is not supported');
  if (!isBody(body)) {
    const expected = 'a string, bytes, or an object whose open() returns bytes (to send an object as JSON, use JSON.stringify)';
    throw invalidRequestError(`its body must be ${expected}`);
  }
  return { method: name, url: checkedUrl(url, policy), headers: requestHeaders(headers), body };
}

/** Checked at run time, because packages may be compiled without type checks. */
function isBody(body: unknown): body is HttpRequest['body'] {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return true;
  return typeof (body as { open?: unknown } | null)?.open === 'function';
}

/** Sends a hop, and again if its authentication can respond to the challenge of a 401. */
async function sendWithChallenge(
  hop: Hop,
  authentication: HttpAuthentication | undefined,
  sender: Sender,
): Promise<Dispatcher.ResponseData> {
  let response = await send(hop, sender);
  for (let count = 0; count < maxChallengeResponses && response.statusCode === 401; count++) {
    const next = responseToChallenge(hop, { ...headOf(hop, response), body: new Uint8Array() }, authentication, sender.policy);
    if (!next) break;
    await response.body.dump({ limit: 16_384, signal: sender.signal });
    response = await send(next, sender);
  }
  return response;
}

/** Methods without effects (RFC 9110 §9.2.1). */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Sends a hop. A server may close an idle connection just when a request is sent on it, so a
 * request without effects is then sent again.
 */
async function send(hop: Hop, sender: Sender): Promise<Dispatcher.ResponseData> {
  sender.response = await sendOnce(hop, sender).catch((error) => {
    if (!isClosedConnection(error) || !safeMethods.has(hop.method) || isSpent(hop)) throw error;
    return sendOnce(hop, sender);
  });
  return sender.response;
}

async function sendOnce(hop: Hop, { policy, dispatchers, route, written, signal }: Sender): Promise<Dispatcher.ResponseData> {
  const { method, url, headers } = hop;
  if (route.proxy) {
    await checkLiteral(policy, route.proxy.host, route.proxy.port);
    await checkTarget(url, policy);
  }
  const { body, byteLength } = await openBody(hop.body);
  const sent = sentHeaders(headers, written);
  if (byteLength !== undefined) sent.set('content-length', String(byteLength));
  return undiciRequest(url, { method, headers: sent, body, signal, dispatcher: dispatchers.for(route) });
}

function isClosedConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCode(error));
}

async function openBody(
  body: Hop['body'],
): Promise<{ body: string | Uint8Array | Readable | null; byteLength?: number | undefined }> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return { body: body ?? null };
  return { body: Readable.from(await body.open(), { objectMode: false }), byteLength: body.byteLength };
}

function isSpent({ body }: Hop): boolean {
  return typeof body === 'object' && 'once' in body && body.once === true;
}

/** A certificate is a credential, so it is used only for the request's origin. */
function withoutClientCertificate(tls: HttpTls | undefined): HttpTls | undefined {
  if (!tls) return undefined;
  const { cert: _, key: __, passphrase: ___, ...rest } = tls;
  return rest;
}
