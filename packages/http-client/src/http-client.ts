import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type AppError, isAppError } from '@sluice/domain';
import type { HttpClient, HttpRequest } from '@sluice/node-sdk';
import { type AddressPolicy, createAddressPolicy } from './address-policy.ts';
import { decodedBody, readWhole } from './decoded-body.ts';
import { Dispatchers } from './dispatchers.ts';
import { createEgressGuard } from './egress-guard.ts';
import { errorCode, failedError, invalidRequestError, proxyRefusal, timeoutError } from './errors.ts';
import { type FinalResponse, followRedirects } from './follow-redirects.ts';
import type { HttpClientOptions } from './http-client-options.ts';
import { OwnApi } from './own-api.ts';
import { encodingOf, headOf } from './response-head.ts';
import { traced } from './traced.ts';

const defaultTimeoutMs = 300_000;

/** The longest delay of Node's timers; a longer one would fire immediately. */
const longestTimeoutMs = 2 ** 31 - 1;

const defaultMaxResponseBytes = 50 * 1024 * 1024;

/**
 * The only client for outgoing requests. Connections are pooled by origin; `close` terminates them
 * all immediately, including requests in flight. A request rejects with the signal's reason, which
 * also closes the socket; otherwise with the `AppError`s listed at `HttpClient` in the node SDK.
 * Any status is a response. Throws if an allow-list entry is not a valid CIDR.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient & { close(): Promise<void> } {
  const ownApi = options.ownApiUrl ? new OwnApi(options.ownApiUrl) : undefined;
  const usual = waysOf(options);
  const toOwnApi = ownApi && waysOf({ ...options, ssrfAllow: [...options.ssrfAllow, ownApi.target] });
  const follow = (request: HttpRequest, signal: AbortSignal) =>
    toOwnApi && ownApi?.covers(request)
      ? followRedirects({ ...request, maxRedirects: 0 }, signal, toOwnApi.policy, toOwnApi.dispatchers)
      : followRedirects(request, signal, usual.policy, usual.dispatchers);
  const send: HttpClient['stream'] = (request, signal, read) =>
    withDeadline(request, signal, async (joined) => {
      const final = await follow(request, joined).catch((error) => {
        throw toAppError(error, request);
      });
      try {
        return await read({ ...headOf(final.hop, final.response), body: bodyOf(final, request) });
      } finally {
        // No effect after a complete read; otherwise also destroys the socket.
        final.response.body.on('error', () => {}).destroy();
      }
    });
  const stream: HttpClient['stream'] = (request, signal, read) => traced(request, read, (...of) => send(of[0], signal, of[1]));
  return {
    stream,
    request: (request, signal) =>
      stream(request, signal, async ({ body, ...head }) => ({ ...head, body: await readWhole(body) })),
    guard: createEgressGuard(usual.policy),
    async close() {
      await Promise.all([usual.dispatchers.destroy(), toOwnApi?.dispatchers.destroy()]);
    },
  };
}

function waysOf(options: HttpClientOptions): { policy: AddressPolicy; dispatchers: Dispatchers } {
  const policy = createAddressPolicy(options);
  return { policy, dispatchers: new Dispatchers(policy) };
}

/**
 * Combines the caller's signal with the timeout, and reports afterward which of them ended the
 * request.
 */
async function withDeadline<T>(
  { timeoutMs = defaultTimeoutMs }: HttpRequest,
  signal: AbortSignal,
  run: (joined: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(timeoutError(timeoutMs)), Math.min(timeoutMs, longestTimeoutMs));
  try {
    return await run(AbortSignal.any([signal, deadline.signal]));
  } catch (error) {
    signal.throwIfAborted();
    deadline.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function* bodyOf({ hop, response }: FinalResponse, request: HttpRequest): AsyncGenerator<Uint8Array, void, undefined> {
  const { maxResponseBytes = defaultMaxResponseBytes } = request;
  try {
    yield* decodedBody(response.body, encodingOf(hop, response), maxResponseBytes);
  } catch (error) {
    throw toAppError(error, request);
  }
}

function toAppError(error: unknown, { headers = {} }: HttpRequest): AppError {
  if (isAppError(error)) return error;
  const refusal = proxyRefusal(error);
  if (refusal) return refusal;
  if (errorCode(error) !== 'UND_ERR_INVALID_ARG') return failedError(error);
  const wrong = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
  return invalidRequestError(
    wrong ? `its header ${JSON.stringify(wrong[0].slice(0, 100))} is not valid` : 'its headers are not valid',
  );
}

function isHeader(name: string, value: string | readonly string[]): boolean {
  try {
    validateHeaderName(name);
    for (const one of [value].flat()) validateHeaderValue(name, one);
    return true;
  } catch {
    return false;
  }
}
