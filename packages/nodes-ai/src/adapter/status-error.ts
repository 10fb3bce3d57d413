import { isJsonObject, type JsonObject, ModelError, type ModelFailure } from '@sluice/node-sdk';
import { coercedText, stringOf } from '@sluice/nodes-base/node-tools';

/** Maximum number of characters in a provider's message. */
const maxMessage = 1_000;
/** Longest pause that `Retry-After` may request, in milliseconds. */
const maxRetryAfterMs = 3_600_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A provider's response with an error status. */
interface FailedAnswer {
  status: number;
  /** Names in lower case. */
  headers: Headers;
  /** The error in the body; see `errorIn`. */
  error: JsonObject;
  /** Used if the error has no message. */
  message: string;
}

/** The error for a status, in terms of `ModelFailure`. */
export function statusError(answer: FailedAnswer, cause: unknown, now = Date.now()): ModelError {
  const { status, headers, error } = answer;
  const message = shortened(stringOf(error['message'] ?? answer.message));
  const failure = failureOf(status, `${error['code'] ?? ''} ${error['type'] ?? ''} ${message}`);
  return new ModelError(
    failure,
    status === 0 || status === 200 ? message : `the provider responded with status ${status}: ${message}`,
    {
      retryAfterMs: retryAfterMs(headers, now) ?? retryDelayMs(error),
      details: { status, ...(typeof error['code'] === 'string' && { code: error['code'] }) },
      cause,
    },
  );
}

/** The usual member `error` of a provider's response. */
export function errorIn(body: unknown): JsonObject {
  const list = Array.isArray(body) ? body[0] : body;
  const error: unknown = isJsonObject(list) ? (list['error'] ?? list) : undefined;
  if (typeof error === 'string') return { message: error };
  return isJsonObject(error) ? error : {};
}

/** How providers report that a prompt has too many tokens. */
const tooLong = [
  'context_length',
  'context length',
  'context limit',
  'context window',
  'maximum context',
  'too many tokens',
  'prompt is too long',
  'input is too long',
  'exceeds the maximum number of tokens',
];

export function failureOf(status: number, text: string): ModelFailure {
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

/** The pause in the `details` of a Google error: `{ "retryDelay": "34s" }`. */
function retryDelayMs({ details }: JsonObject): number | undefined {
  const delay = Array.isArray(details) ? details.map((one) => (isJsonObject(one) ? one['retryDelay'] : undefined)) : [];
  const seconds = Number.parseFloat(coercedText(delay.find((one) => one !== undefined)));
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1_000), maxRetryAfterMs) : undefined;
}

/** `Retry-After` in seconds or as a date, and the variant in milliseconds. */
function retryAfterMs(headers: Headers, now: number): number | undefined {
  const inMs = Number.parseFloat(coercedText(headers['retry-after-ms']));
  const text = coercedText(headers['retry-after']);
  const seconds = Number.parseFloat(text);
  const date = Date.parse(text);
  const ms = Number.isFinite(inMs) ? inMs : Number.isFinite(seconds) ? seconds * 1_000 : date - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxRetryAfterMs) : undefined;
}

/** Error for a stream that ends before the model has finished: the answer is incomplete. */
export function endedEarly(): ModelError {
  return new ModelError('unavailable', 'the provider ended its answer early');
}

export function shortened(text: string): string {
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}
