/*
 * The same shapes as in `@sluice/node-sdk`, which this package may not import; TypeScript holds the two together where
 * `apps/worker` hands a client to the engine.
 */

/** A request to the outside. */
export interface HttpRequest {
  method: string;
  /** Absolute, http or https, without user information. */
  url: string;
  /** Headers that belong to the connection (`host`, `content-length`, `connection` and the like) are left out. */
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
  /** Milliseconds until the whole response has been read. Default 300,000. */
  timeoutMs?: number;
  /** Redirects followed; default 0: the 3xx is the answer. */
  maxRedirects?: number;
  /** Bytes of the decoded body. Default 50 MiB. */
  maxResponseBytes?: number;
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

/** Attaches a credential to a request, hop by hop, and only on the origin that the request names. */
export interface HttpAuthentication {
  /**
   * The request with authentication; called for the first hop and for each redirect within its origin, with the plain request. It may
   * not change the origin, nor does the method change. Once a chain of redirects has left the origin nothing is attached any more, also if it comes back, and what was
   * added to the query does not go along in a `location` either.
   */
  authenticate?(request: HttpRequest, signal: AbortSignal): HttpRequest | Promise<HttpRequest>;
  /** The request that answers a 401 (its body left out), if its challenge can be answered; asked twice per hop at most. */
  answerChallenge?(request: HttpRequest, response: HttpResponse): HttpRequest | undefined;
}

export interface HttpClient {
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}

export interface HttpClientOptions {
  /** `strict` means the same as `on` here: it adds other kinds of connections, which are not made by this client. */
  ssrfProtection: 'on' | 'strict' | 'off';
  /** CIDRs, addresses and exact host names that are allowed although the guard would refuse them. */
  ssrfAllow: readonly string[];
}
