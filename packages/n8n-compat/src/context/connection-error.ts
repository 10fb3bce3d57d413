import { errorMessage, isAppError } from '@sluice/domain';

/** Error codes of the client library → codes that packages expect. */
const knownAs: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET', 'ECONNRESET'],
  ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
]);

/**
 * Converts an error of our HTTP client: without a response, `code` is the system code, such as
 * `ECONNREFUSED`, and our error is the cause. Other errors are unchanged.
 */
export function connectionError(error: unknown): unknown {
  if (!isAppError(error)) return error;
  const code = error.code === 'HTTP_TIMEOUT' ? 'ECONNABORTED' : systemCode(error.cause);
  return code === undefined ? error : Object.assign(new Error(errorMessage(error), { cause: error }), { code });
}

/** If several addresses were tried, the first error is used. */
function systemCode(cause: unknown): string | undefined {
  if (cause instanceof AggregateError) return systemCode(cause.errors[0]);
  const code = cause instanceof Error ? (cause as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? (knownAs.get(code) ?? code) : undefined;
}
