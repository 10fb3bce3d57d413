import { type AppError, isAppError, userKeyed } from '@sluice/domain';
import { Agent, type Dispatcher, request as undiciRequest } from 'undici';
import { type AddressPolicy, createAddressPolicy } from './address-policy.ts';
import { answerTo, attach, withoutCredentials } from './authentication.ts';
import { checkedUrl } from './checked-url.ts';
import { errorCode, failedError, invalidRequestError, timeoutError, tooManyRedirectsError } from './errors.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { readBody } from './read-body.ts';
import { type Hop, isRedirect, nextHop } from './redirect.ts';
import { requestHeaders } from './request-headers.ts';
import type { HttpAuthentication, HttpClient, HttpClientOptions, HttpRequest, HttpResponse } from './types.ts';

const defaultTimeoutMs = 300_000;

/** The longest time that Node's timers hold; a longer one would fire at once. */
const longestTimeoutMs = 2 ** 31 - 1;

/** Answers to a 401: the first, and one more where the server says that its nonce was stale. */
const maxAnswers = 2;

const defaultMaxResponseBytes = 50 * 1024 * 1024;

/**
 * The one client for requests to the outside. Connections are kept and shared by origin; `close` ends them all at once, running
 * requests included. `request` rejects with the reason of its signal when that fires, and the socket is closed then; otherwise with the
 * `AppError`s that `HttpClient` of the node SDK lists. Any status is an answer. Throws when an allow-list entry is no CIDR.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient & { close(): Promise<void> } {
  const policy = createAddressPolicy(options);
  // The time-out of the whole request covers headers and body; idle sockets go before most servers' own limit of 5 s.
  const agent = new Agent({
    connect: createGuardedConnector(policy),
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
  });
  return {
    request: (request, signal) => withDeadline(request, signal, (joined) => follow(request, joined, policy, agent)),
    close: () => agent.destroy(),
  };
}

/** Joins the caller's signal with the time-out, and tells afterwards which of them ended the request. */
async function withDeadline(
  { timeoutMs = defaultTimeoutMs }: HttpRequest,
  signal: AbortSignal,
  run: (joined: AbortSignal) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  signal.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(timeoutError(timeoutMs)), Math.min(timeoutMs, longestTimeoutMs));
  try {
    return await run(AbortSignal.any([signal, deadline.signal]));
  } catch (error) {
    signal.throwIfAborted();
    deadline.signal.throwIfAborted();
    throw toAppError(error);
  } finally {
    clearTimeout(timer);
  }
}

async function follow(request: HttpRequest, signal: AbortSignal, policy: AddressPolicy, agent: Agent): Promise<HttpResponse> {
  const { maxRedirects = 0, maxResponseBytes = defaultMaxResponseBytes } = request;
  let { authentication } = request;
  let hop = firstHop(request, policy);
  for (let redirects = 0; ; redirects++) {
    const sent = await attach(hop, authentication, policy, signal);
    const response = await sendAnswering(sent, authentication, policy, signal, agent);
    const { location } = response.headers;
    if (maxRedirects === 0 || !isRedirect(response.statusCode) || typeof location !== 'string') {
      return toResponse(hop, response, maxResponseBytes, signal);
    }
    await response.body.dump({ limit: 16_384, signal });
    if (redirects >= maxRedirects) throw tooManyRedirectsError(maxRedirects);
    const next = nextHop({ ...hop, url: sent.url }, response.statusCode, location, policy);
    if (next.url.origin !== hop.url.origin) {
      next.url = withoutCredentials(next.url, hop.url, sent.url);
      authentication = undefined;
    }
    hop = next;
  }
}

/** Sends a hop, and again where its authentication can answer the challenge of a 401. */
async function sendAnswering(
  hop: Hop,
  authentication: HttpAuthentication | undefined,
  policy: AddressPolicy,
  signal: AbortSignal,
  agent: Agent,
): Promise<Dispatcher.ResponseData> {
  let response = await send(hop, signal, agent);
  for (let answers = 0; answers < maxAnswers && response.statusCode === 401; answers++) {
    const answer = answerTo(hop, headOf(hop, response), authentication, policy);
    if (!answer) break;
    await response.body.dump({ limit: 16_384, signal });
    response = await send(answer, signal, agent);
  }
  return response;
}

function firstHop({ method, url, headers, body }: HttpRequest, policy: AddressPolicy): Hop {
  const name = method.toUpperCase();
  if (!/^[A-Z]{1,32}$/.test(name) || name === 'CONNECT') throw invalidRequestError('its method is not one that can be used');
  return { method: name, url: checkedUrl(url, policy), headers: requestHeaders(headers), body };
}

function send({ method, url, headers, body }: Hop, signal: AbortSignal, agent: Agent): Promise<Dispatcher.ResponseData> {
  return undiciRequest(url, { method, headers, body: body ?? null, signal, dispatcher: agent });
}

async function toResponse(
  hop: Hop,
  response: Dispatcher.ResponseData,
  maxBytes: number,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { statusCode, headers, body } = response;
  const bodyless = hop.method === 'HEAD' || statusCode === 204 || statusCode === 304 || headers['content-length'] === '0';
  const encoding = bodyless ? '' : joined(headers['content-encoding']);
  return { ...headOf(hop, response), body: await readBody(body, encoding, maxBytes, signal) };
}

/** All of a response but its body, which is empty. */
function headOf({ url }: Hop, { statusCode, statusText, headers }: Dispatcher.ResponseData): HttpResponse {
  return { status: statusCode, statusText, headers: responseHeaders(headers), body: new Uint8Array(), url: url.href };
}

function responseHeaders(headers: Dispatcher.ResponseData['headers']): HttpResponse['headers'] {
  return userKeyed(
    Object.entries(headers).map(([name, value]) => [name, name === 'set-cookie' ? [value ?? []].flat() : joined(value)]),
  );
}

function joined(value: string | string[] | undefined): string {
  return [value ?? []].flat().join(', ');
}

function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  return errorCode(error) === 'UND_ERR_INVALID_ARG' ? invalidRequestError('its headers are not valid') : failedError(error);
}
