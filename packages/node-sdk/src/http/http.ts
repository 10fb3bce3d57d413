import type { LookupFunction } from 'node:net';

/** A streamed request body. */
export interface HttpBodyStream {
  /**
   * Returns the bytes from the start. Called once per hop that sends them: again after a redirect
   * or a challenge.
   */
  open(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
  /** Total bytes. Absent: sent in chunks. */
  byteLength?: number;
  /** Can be opened only once, so the request is not repeated after a 401 response. */
  once?: boolean;
}

/** TLS options of a request. */
export interface HttpTls {
  /** `false`: accepts an untrusted certificate. */
  rejectUnauthorized?: boolean;
  /** CA certificates (PEM) instead of the public ones. */
  ca?: string;
  /** Client certificate and key (PEM), presented only to the origin of the request. */
  cert?: string;
  key?: string;
  passphrase?: string;
}

/** A request to a remote host through the guarded client. */
export interface HttpRequest {
  method: string;
  /** Absolute, http or https, without user info. */
  url: string;
  /** Connection headers (`host`, `content-length`, `connection`, and the like) are dropped. */
  headers?: Record<string, string | string[]>;
  /** Sends header names as written instead of in lower case. */
  keepHeaderCase?: boolean;
  body?: string | Uint8Array | HttpBodyStream;
  /** Milliseconds until the whole response is read. Default: 300,000. */
  timeoutMs?: number;
  /** Redirects to follow. Default: 0, which returns the 3xx response. */
  maxRedirects?: number;
  /**
   * Maximum size of the decoded body in bytes. Default: 50 MiB. `Infinity` is for stream readers
   * with their own limit.
   */
  maxResponseBytes?: number;
  tls?: HttpTls;
  /**
   * URL of an HTTP proxy (http or https), optionally with user name and password. Both the proxy
   * and the target, as resolved locally, are checked; the proxy may resolve the name differently.
   */
  proxy?: string;
  /** The credential to attach. */
  authentication?: HttpAuthentication;
}

export interface HttpResponse {
  status: number;
  statusText: string;
  /**
   * Names in lower case. Repeated headers are joined by `, `, except `set-cookie`, which is a list.
   */
  headers: Record<string, string | string[]>;
  /** Decoded: gzip, deflate, and br are decompressed. */
  body: Uint8Array;
  /** URL of the last hop, without parts added by authentication. */
  url: string;
}

/** A response header as a string; empty if it is absent. `name`: in lower case. */
export function headerText(headers: HttpResponse['headers'], name: string): string {
  return [headers[name] ?? ''].flat().join(', ');
}

/** A request header, whatever its case; empty if it is absent. `name`: in lower case. */
export function requestHeaderText({ headers = {} }: HttpRequest, name: string): string {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return [value].flat().join();
}

/** A response whose body is decoded and counted while it is read. */
export interface HttpStreamedResponse extends Omit<HttpResponse, 'body'> {
  body: AsyncIterable<Uint8Array>;
}

/** Where a request is sent, and who can read it in transit. */
export type HttpDestination = Pick<HttpRequest, 'url' | 'proxy' | 'tls'>;

/** Adds a credential to each hop of a request, but only on the origin of the request URL. */
export interface HttpAuthentication {
  /**
   * Throws `CREDENTIAL_HOST_NOT_ALLOWED` if the credential may not be sent to the destination.
   * Called before each hop is sent.
   */
  assertAllowed?(destination: HttpDestination): void;
  /**
   * Throws `CREDENTIAL_HOST_NOT_ALLOWED` if a redirect to another origin must not be followed even
   * without the credential.
   */
  assertRedirectAllowed?(destination: HttpDestination): void;
  /**
   * Adds authentication to the plain request; called for the first hop and for each redirect within
   * its origin. It must not change the origin or the method. After a redirect leaves the origin,
   * nothing more is added, even if a later redirect returns, and added query parameters are not
   * carried over in `location`.
   */
  authenticate?(request: HttpRequest, signal: AbortSignal): HttpRequest | Promise<HttpRequest>;
  /**
   * The request that responds to a 401 (its body omitted), if the challenge is supported. Called at
   * most twice per hop.
   */
  answerChallenge?(request: HttpRequest, response: HttpResponse): HttpRequest | undefined;
  /**
   * Called once per request after a 401: the session may have ended early. Returns new
   * authentication for one repeated request, or `undefined` to return the 401. Its errors are
   * errors of the request.
   */
  renewed?(signal: AbortSignal): Promise<HttpAuthentication | undefined>;
  /**
   * The credential is for the public API of this service: the request may go there, at
   * `PUBLIC_URL`, even if nodes otherwise cannot reach that address. It then follows no redirect,
   * and uses no proxy.
   */
  readonly ownApi?: boolean;
}

/** Checks connection targets for libraries that open their own connections. */
export interface EgressGuard {
  /**
   * Rejects with an `AppError` if the URL is not allowed (`HTTP_BLOCKED`, `HTTP_INVALID_URL`) or
   * its host cannot be resolved. DNS may change before the connection is made, so also pass
   * `lookup` to the library.
   */
  check(url: string): Promise<void>;
  /**
   * For `lookup` of `net.connect`, `http.Agent`, and similar: fails for a name with a blocked
   * address. The port is unknown, so a host with one of Sluice's endpoints is blocked on every
   * port. Node does not call it for IP literals.
   */
  readonly lookup: LookupFunction;
}

/**
 * Outgoing HTTP. Throws `AppError`s with the codes `HTTP_BLOCKED` (address not allowed),
 * `HTTP_INVALID_URL`, `HTTP_INVALID_REQUEST` (method or headers), `HTTP_TIMEOUT`, `HTTP_TOO_LARGE`,
 * `HTTP_TOO_MANY_REDIRECTS`, and `HTTP_FAILED` (no response; transient). A response with any status
 * is not an error.
 */
export interface HttpClient {
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /**
   * Passes the body to `read` as it arrives, and resolves to the result of `read`. Timeout, limit,
   * and signal apply until then and are thrown by the body; errors of `read` are thrown unchanged.
   * An unread body is discarded.
   */
  stream<T>(request: HttpRequest, signal: AbortSignal, read: (response: HttpStreamedResponse) => Promise<T>): Promise<T>;
  /** The checks that the client applies to its own connections. */
  readonly guard: EgressGuard;
}
