import { AppError, type JsonValue } from '@sluice/domain';

/** Why a model call failed. For the first three, a retry may succeed. */
export type ModelFailure =
  | 'rateLimited'
  | 'unavailable'
  | 'timeout'
  | 'contextTooLong'
  | 'refused'
  | 'invalidKey'
  | 'invalidRequest'
  | 'invalidResponse';

export interface ModelErrorOptions {
  /** Milliseconds after which the provider allows another call. */
  retryAfterMs?: number | undefined;
  details?: JsonValue | undefined;
  cause?: unknown;
}

const hints: Readonly<Record<ModelFailure, string>> = {
  rateLimited: 'Wait, raise the limit at the provider, or set "Max Retries" of the model.',
  unavailable: 'The provider or the network failed: try again, or add a fallback model.',
  timeout: 'Raise the timeout of the model, or ask for less.',
  contextTooLong: 'Shorten the prompt, the memory, or the outputs of tools, or choose a model with a larger context.',
  refused: 'The provider filtered the request or the answer: change the prompt.',
  invalidKey: 'Check the credential of the model: its key, and what the key may use.',
  invalidRequest: 'Check the name of the model and its options.',
  invalidResponse: 'The provider sent an answer that cannot be read: check the base URL of the credential.',
};

const transient: ReadonlySet<ModelFailure> = new Set(['rateLimited', 'unavailable', 'timeout', 'invalidResponse']);

/** A failed call to a model or an embedding. */
export class ModelError extends AppError {
  readonly failure: ModelFailure;
  readonly retryAfterMs: number | undefined;
  readonly description: string;
  readonly itemIndex: number | undefined = undefined;

  constructor(failure: ModelFailure, message: string, { retryAfterMs, details, cause }: ModelErrorOptions = {}) {
    const kind = transient.has(failure) ? 'transient' : 'expected';
    super({ code: 'MODEL_FAILED', message, kind, details, cause });
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
    this.description = hints[failure];
  }
}
