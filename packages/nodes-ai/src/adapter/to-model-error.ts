import { APICallError } from '@ai-sdk/provider';
import { errorMessage, isAppError, isJsonObject, type JsonObject, ModelError } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';
import { errorIn, failureOf, shortened, statusError } from './status-error.ts';

/**
 * The error of a failed call. Provider errors become a `ModelFailure`; guarded client errors are
 * unchanged unless the network failed.
 */
export function toModelError(error: unknown, now = Date.now()): unknown {
  const cause = causeOf(error);
  if (cause) return ofClient(cause);
  if (APICallError.isInstance(error)) return ofStatus(error, now, error);
  if (!(error instanceof Error) && isJsonObject(error)) return ofEvent(error);
  if (error instanceof Error && error.name === 'AbortError') return error;
  return new ModelError('invalidResponse', `the provider sent an unreadable response: ${shortened(errorMessage(error))}`, {
    cause: error,
  });
}

/** Our own error that a library wrapped. */
function causeOf(error: unknown): ReturnType<typeof ofClient> | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) if (isAppError(at)) return at;
  return undefined;
}

function ofClient(error: Error & { code?: string }): Error {
  if (error instanceof ModelError) return error;
  if (error.code === 'HTTP_TIMEOUT') return new ModelError('timeout', 'the provider took too long to answer', { cause: error });
  if (error.code === 'HTTP_FAILED') return new ModelError('unavailable', error.message, { cause: error });
  return error;
}

function ofStatus(
  { statusCode, responseHeaders = {}, responseBody = '', message }: APICallError,
  now: number,
  cause: unknown,
): ModelError {
  return statusError(
    { status: statusCode ?? 0, headers: responseHeaders, error: parsedError(responseBody), message },
    cause,
    now,
  );
}

/** An error that a provider sends in the middle of a stream. */
function ofEvent(event: JsonObject): ModelError {
  const { statusCode, code, type } = event;
  const status = [statusCode, code].find((value) => typeof value === 'number') ?? 0;
  const message = shortened(stringOf(event['message'] ?? 'no reason given'));
  const failure = status === 0 ? 'unavailable' : failureOf(status as number, `${code ?? ''} ${type ?? ''} ${message}`);
  return new ModelError(failure, `the provider ended its answer: ${message}`, { details: { status } });
}

function parsedError(text: string): JsonObject {
  try {
    return errorIn(JSON.parse(text));
  } catch {
    return {};
  }
}
