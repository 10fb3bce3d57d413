import type { LookupFunction } from 'node:net';

/** A body that is read while it is sent. */
export interface HttpBodySource {
  /** The bytes from the start; called once for each hop that sends them: after a redirect, and in answer to a challenge, again. */
  open(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
  /** Bytes in all; absent: they go out in chunks. */
  byteLength?: number;
  /** It can be opened once: a request that was answered with 401 is not made again with it. */
  once?: boolean;
}

/** How TLS connections of a request differ from the usual. */
export interface HttpTls {
  /** `false`: a certificate that nobody vouches for will do. */
  rejectUnauthorized?: boolean;
  /** Certificates of authorities, PEM, in place of the public ones. */
  ca?: string;
  /** Certificate of the client and its key, PEM; shown to the origin of the request alone. */
  cert?: string;
  key?: string;
  passphrase?: string;
}

/** A request to the outside, made by the one guarded client. */
export interface HttpRequest {
  method: string;
  /** Absolute, http or https, without user information. */
  url: string;
  /** Headers that belong to the connection (`host`, `content-length`, `connection` and the like) are left out. */
  headers?: Record<string, string | string[]>;
  /** Send the names of headers as they are written, rather than in lower case. */
  keepHeaderCase?: boolean;
  body?: string | Uint8Array | HttpBodySource;
  /** Milliseconds until the whole response has been read. Default 300,000. */
  timeoutMs?: number;
  /** Redirects followed; default 0: the 3xx is the answer. */
  maxRedirects?: number;
  /** Bytes of the decoded body; default 50 MiB. `Infinity` is for readers of a stream that have a cap of their own. */
  maxResponseBytes?: number;
  tls?: HttpTls;
  /**
   * URL of an HTTP proxy, http or https, user name and password in it where it asks for them. Both its address and the one of the
   * target are judged, as resolved here: the proxy may resolve the name to something else.
   */
  proxy?: string;
  /** The credential to attach. */
  authentication?: HttpAuthentication;
}

export interface HttpResponse {
  status: number;
  statusText: string;
  /** Names in lower case; repeated ones joined by `, `, but `set-cookie`, which stays a list. */
  headers: Record<string, string | string[]>;
  /** Decoded: gzip, deflate and br are undone. */
  body: Uint8Array;
  /** URL of the last hop, without what authentication added. */
  url: string;
}

/** A response whose body is read while it arrives, decoded and counted. */
export interface HttpStreamedResponse extends Omit<HttpResponse, 'body'> {
  body: AsyncIterable<Uint8Array>;
}

/** Where the bytes of a request go, and who may read them on the way. */
export type HttpDestination = Pick<HttpRequest, 'url' | 'proxy' | 'tls'>;

/** Attaches a credential to a request, hop by hop, and only on the origin that the request names. */
export interface HttpAuthentication {
  /** Throws `CREDENTIAL_HOST_NOT_ALLOWED` if the credential may not be sent to the destination. Runs before each hop is sent. */
  assertAllowed?(destination: HttpDestination): void;
  /**
   * The request with authentication; called for the first hop and for each redirect within its origin, with the plain request. It may
   * not change the origin, nor does the method change. Once a chain of redirects has left the origin nothing is attached any more, also if it comes back, and what was
   * added to the query does not go along in a `location` either.
   */
  authenticate?(request: HttpRequest, signal: AbortSignal): HttpRequest | Promise<HttpRequest>;
  /** The request that answers a 401 (its body left out), if its challenge can be answered; asked twice per hop at most. */
  answerChallenge?(request: HttpRequest, response: HttpResponse): HttpRequest | undefined;
  /**
   * After a 401: the session that was attached may have ended before its time. Gives what is attached in its place to the same request, which is made once
   * more; asked once per request. `undefined`: the 401 is the answer. What it throws is what the request throws.
   */
  renewed?(signal: AbortSignal): Promise<HttpAuthentication | undefined>;
}

/** Judges where connections may go, for libraries that open their own and cannot use the client. */
export interface EgressGuard {
  /**
   * Rejects with an `AppError` where the URL may not be reached (`HTTP_BLOCKED`, `HTTP_INVALID_URL`) or its host cannot be resolved. The
   * answer of DNS may change before the connection is made, so pass `lookup` to the library that makes it.
   */
  check(url: string): Promise<void>;
  /**
   * For `lookup` of `net.connect`, `http.Agent` and the like: fails for a name with a refused address. It does not know the port, so a
   * host that runs an endpoint of Sluice is refused at every port. Node does not call it for literals.
   */
  readonly lookup: LookupFunction;
}

/**
 * Outgoing HTTP. Throws `AppError`s with the codes `HTTP_BLOCKED` (the address is not allowed), `HTTP_INVALID_URL`,
 * `HTTP_INVALID_REQUEST` (method or headers), `HTTP_TIMEOUT`, `HTTP_TOO_LARGE`, `HTTP_TOO_MANY_REDIRECTS` and `HTTP_FAILED` (no answer; transient). Any status is an answer, not an error.
 */
export interface HttpClient {
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /**
   * The same, with a body that `read` takes as it arrives; resolves to what `read` gives. Time-out, cap and signal hold until it has,
   * and the body throws what they say; what `read` throws itself goes through as it is. A body that it leaves unread is dropped.
   */
  stream<T>(request: HttpRequest, signal: AbortSignal, read: (response: HttpStreamedResponse) => Promise<T>): Promise<T>;
  /** The checks of its own connections. */
  readonly guard: EgressGuard;
}
