/** An error response of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Problems with single fields. */
  readonly details: readonly { path: string; message: string }[];

  constructor(status: number, body: Partial<Pick<ApiError, 'message' | 'code' | 'requestId' | 'details'>>) {
    super(body.message ?? `the service responded with status ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.requestId = body.requestId;
    this.details = body.details ?? [];
  }
}

/** No response: the service or the network is down. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
    this.name = 'ConnectionError';
  }
}

/** Whether the same request may succeed later without a change. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
