import { errorMessage, isAppError } from '@sluice/domain';

/** Codes of the client's library, and what packages know them as. */
const knownAs: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_SOCKET', 'ECONNRESET'],
  ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
]);

/**
 * An error of the client as packages look at those: where there was no answer, `code` is that of the system, such as `ECONNREFUSED`. It has ours as its cause;
 * all others are as they were.
 */
export function connectionError(error: unknown): unknown {
  if (!isAppError(error)) return error;
  const code = error.code === 'HTTP_TIMEOUT' ? 'ECONNABORTED' : systemCode(error.cause);
  return code === undefined ? error : Object.assign(new Error(errorMessage(error), { cause: error }), { code });
}

/** Of several addresses that were tried, the first counts. */
function systemCode(cause: unknown): string | undefined {
  if (cause instanceof AggregateError) return systemCode(cause.errors[0]);
  const code = cause instanceof Error ? (cause as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? (knownAs.get(code) ?? code) : undefined;
}
