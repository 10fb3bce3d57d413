import {
  arriving,
  type HttpAuthentication,
  type HttpClient,
  type HttpRequest,
  type HttpStreamedResponse,
} from '@sluice/node-sdk';
import { assertPlainPath } from '@sluice/nodes-base/node-tools';

interface GuardedFetchOptions {
  http: HttpClient;
  /** Attached to each request; it also checks the host. */
  authentication?: HttpAuthentication | undefined;
  /** Milliseconds until the whole response must be read. */
  timeoutMs: number;
  /** Maximum number of bytes in a response; default: the client's limit. */
  maxResponseBytes?: number;
  /**
   * Called with the request method if a response fails after its headers, for libraries that do not
   * report it.
   */
  onBodyFailure?(error: unknown, method: string): void;
  /** Fires when the use ends; needed if the library passes no signal. */
  signal?: AbortSignal;
}

type Fetch = typeof globalThis.fetch;

/**
 * `fetch` for provider libraries: uses the guarded client, which attaches the credential, and
 * streams the response as memory becomes available. Rejects with the client's errors. The library
 * must read or cancel the body, or abort.
 */
export function guardedFetch(options: GuardedFetchOptions): Fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? options.signal ?? new AbortController().signal;
    const url = input instanceof Request ? input.url : input.toString();
    assertPlainPath(url); // the library inserts model names into it
    const request = requestOf(url, init, options);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const failed = (error: unknown) => options.onBodyFailure?.(error, request.method);
    const reading = options.http.stream(request, signal, (response) => passOn(response, resolve, failed));
    reading.catch(reject);
    return promise;
  };
}

function requestOf(
  url: string,
  init: RequestInit,
  { authentication, timeoutMs, maxResponseBytes }: GuardedFetchOptions,
): HttpRequest {
  const { method = 'GET', body, headers } = init;
  return {
    method,
    url,
    headers: Object.fromEntries(new Headers(headers)),
    ...(body !== null && body !== undefined && { body: bodyOf(body) }),
    timeoutMs,
    ...(maxResponseBytes !== undefined && { maxResponseBytes }),
    ...(authentication && { authentication }),
  };
}

function bodyOf(body: NonNullable<RequestInit['body']>): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('a provider sent a body that is neither text nor bytes');
}

const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Returns the response; resolves when its body was read, was canceled, or failed. */
async function passOn(
  response: HttpStreamedResponse,
  onResponse: (response: Response) => void,
  failed: (error: unknown) => void,
): Promise<void> {
  const { status, statusText } = response;
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) => [value].flat().map((v) => [name, v])) as [string, string][],
  );
  const ended = Promise.withResolvers<void>();
  const body = withoutBody.has(status) ? null : readable(response.body, ended.resolve, failed);
  if (!body) ended.resolve();
  onResponse(new Response(body, { status, statusText, headers }));
  await ended.promise;
}

function readable(
  source: AsyncIterable<Uint8Array>,
  ended: () => void,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = arriving(source);
  let isCanceled = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await chunks.next();
        if (!next.done) return controller.enqueue(new Uint8Array(next.value));
        controller.close();
      } catch (error) {
        controller.error(error);
        if (!isCanceled) failed(error);
      }
      ended();
    },
    cancel: () => {
      isCanceled = true;
      ended();
    },
  });
}
