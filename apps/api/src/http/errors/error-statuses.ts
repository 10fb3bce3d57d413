import type { Response } from 'express';

/**
 * Error code → HTTP status of API responses. `docs/errors.md` explains each code; a test compares
 * the two. Only the page after an OAuth 2 consent (`oauth2/consent-router.ts`) also shows other
 * codes.
 */
export const errorStatuses = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  LICENSE_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ALREADY_RESUMED: 409,
  CONFLICT: 409,
  CREDENTIAL_IN_USE: 409,
  CREDENTIAL_UNREADABLE: 409,
  IDEMPOTENCY_KEY_EXECUTION_DELETED: 409,
  NOT_WAITING_YET: 409,
  PROJECT_NOT_EMPTY: 409,
  VERSION_CONFLICT: 409,
  WEBHOOK_PATH_TAKEN: 409,
  PAYLOAD_TOO_LARGE: 413,
  STORAGE_QUOTA_EXCEEDED: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  EXPECTATION_FAILED: 417,
  CONCURRENCY_LIMIT: 429,
  QUEUE_FULL: 429,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  EXECUTION_FAILED: 500,
  INTERNAL_ERROR: 500,
  NO_ANSWER: 500,
  WEBHOOK_FAILED: 500,
  NODE_METHOD_FAILED: 502,
  REGISTRATION_FAILED: 502,
  SERVICE_UNAVAILABLE: 503,
  ANSWER_TIMEOUT: 504,
} as const;

export type ApiErrorCode = keyof typeof errorStatuses;

/** `undefined` for a code that the API never sends, which is a defect. */
export function statusOf(code: string): number | undefined {
  return Object.hasOwn(errorStatuses, code) ? errorStatuses[code as ApiErrorCode] : undefined;
}

/** About the time until a restart of Postgres or Redis is detected. */
const defaultRetryAfterSeconds = '2';

/** Whether the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status === 429 || status === 503;
}

/** Sets `Retry-After`, unless a rate limit has set it already. */
export function setRetryAfter(response: Response): void {
  if (!response.hasHeader('Retry-After')) response.setHeader('Retry-After', defaultRetryAfterSeconds);
}
