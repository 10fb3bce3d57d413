import { APICallError } from '@ai-sdk/provider';
import { errorMessage, isAppError, isJsonObject, type JsonObject, ModelError, type ModelFailure } from '@sluice/node-sdk';

/** Most characters of a provider's message. */
const maxMessage = 1_000;
/** Longest pause that `Retry-After` may ask for, in milliseconds. */
const maxRetryAfterMs = 3_600_000;

/**
 * The error of a failed call: of the provider, in terms of `ModelFailure`; of the guarded client,
 * unchanged, unless the network failed.
 */
export function toModelError(error: unknown, now = Date.now()): unknown {
  const cause = causeOf(error);
  if (cause) return ofClient(cause);
  if (APICallError.isInstance(error)) return ofStatus(error, now);
  if (!(error instanceof Error) && isJsonObject(error)) return ofEvent(error);
  if (error instanceof Error && error.name === 'AbortError') return error;
  return new ModelError(
    'invalidResponse',
    `the provider sent an answer that cannot be read: ${shortened(errorMessage(error))}`,
    {
      cause: error,
    },
  );
}

/** The error of ours that a library wrapped. */
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

function ofStatus(error: APICallError, now: number): ModelError {
  const { statusCode: status = 0, responseHeaders = {}, responseBody = '' } = error;
  const body = bodyError(responseBody);
  const message = shortened(String(body['message'] ?? error.message));
  const failure = failureOf(status, `${body['code'] ?? ''} ${body['type'] ?? ''} ${message}`);
  return new ModelError(failure, status === 0 || status === 200 ? message : `the provider answered ${status}: ${message}`, {
    retryAfterMs: retryAfterMs(responseHeaders, now) ?? retryDelayMs(body),
    details: { status, ...(typeof body['code'] === 'string' && { code: body['code'] }) },
    cause: error,
  });
}

/** An error that a provider sends in the middle of a stream. */
function ofEvent(event: JsonObject): ModelError {
  const { statusCode, code, type } = event;
  const status = [statusCode, code].find((value) => typeof value === 'number') ?? 0;
  const message = shortened(String(event['message'] ?? 'no reason given'));
  const failure = status === 0 ? 'unavailable' : failureOf(status as number, `${code ?? ''} ${type ?? ''} ${message}`);
  return new ModelError(failure, `the provider ended its answer: ${message}`, { details: { status } });
}

/** The usual member `error` of a provider's answer. */
function bodyError(text: string): JsonObject {
  try {
    const body = JSON.parse(text) as unknown;
    const list = Array.isArray(body) ? body[0] : body;
    const error: unknown = isJsonObject(list) ? (list['error'] ?? list) : undefined;
    if (typeof error === 'string') return { message: error };
    return isJsonObject(error) ? error : {};
  } catch {
    return {};
  }
}

/** How providers say that a prompt has too many tokens. */
const tooLong = [
  'context_length',
  'context length',
  'context limit',
  'context window',
  'maximum context',
  'too many tokens',
  'prompt is too long',
  'exceeds the maximum number of tokens',
];

function failureOf(status: number, text: string): ModelFailure {
  const says = text.toLowerCase();
  const mentions = (...words: string[]) => words.some((word) => says.includes(word));
  if (mentions(...tooLong)) return 'contextTooLong';
  if (mentions('content_filter', 'content_policy', 'content management policy', 'safety system', 'flagged')) return 'refused';
  if (mentions('insufficient_quota', 'api key not valid', 'credit balance')) return 'invalidKey';
  if (status === 429) return 'rateLimited';
  if (status === 401 || status === 402 || status === 403) return 'invalidKey';
  if (status === 408) return 'timeout';
  if (status === 413) return 'contextTooLong';
  if (status >= 500) return 'unavailable';
  return status === 0 || status === 200 ? 'invalidResponse' : 'invalidRequest';
}

/** The pause in `details` of an error of Google: `{ "retryDelay": "34s" }`. */
function retryDelayMs({ details }: JsonObject): number | undefined {
  const delay = Array.isArray(details) ? details.map((one) => (isJsonObject(one) ? one['retryDelay'] : undefined)) : [];
  const seconds = Number.parseFloat(String(delay.find((one) => one !== undefined) ?? ''));
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1_000), maxRetryAfterMs) : undefined;
}

/** `Retry-After` in seconds or as a date, and the variant in milliseconds. */
function retryAfterMs(headers: Record<string, string>, now: number): number | undefined {
  const inMs = Number.parseFloat(headers['retry-after-ms'] ?? '');
  const text = headers['retry-after'] ?? '';
  const seconds = Number.parseFloat(text);
  const date = Date.parse(text);
  const ms = Number.isFinite(inMs) ? inMs : Number.isFinite(seconds) ? seconds * 1_000 : date - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxRetryAfterMs) : undefined;
}

function shortened(text: string): string {
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}
