/** A request to the outside, made by the one guarded client. */
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

/**
 * Outgoing HTTP. Throws `AppError`s with the codes `HTTP_BLOCKED` (the address is not allowed), `HTTP_INVALID_URL`,
 * `HTTP_INVALID_REQUEST` (method or headers), `HTTP_TIMEOUT`, `HTTP_TOO_LARGE`, `HTTP_TOO_MANY_REDIRECTS` and `HTTP_FAILED` (no answer; transient). Any status is an answer, not an error.
 */
export interface HttpClient {
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}
