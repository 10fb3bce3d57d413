import { AppError, ConflictError, type ExecutionId } from '@sluice/domain';
import type { Response } from 'express';
import { setRetryAfter } from '../../http/errors/error-statuses.ts';

export type NoResponseCode = 'CONCURRENCY_LIMIT' | 'EXECUTION_FAILED' | 'NO_ANSWER' | 'ANSWER_TIMEOUT' | 'SERVICE_UNAVAILABLE';

/** A request started or resumed an execution that returns no response. */
export class NoResponseError extends AppError {
  readonly executionId: ExecutionId;

  constructor(code: NoResponseCode, message: string, executionId: ExecutionId) {
    super({ code, message });
    this.executionId = executionId;
  }
}

/** The execution has resumed already, or has ended. */
export class AlreadyResumedError extends ConflictError {
  constructor(message = 'the execution no longer waits for this request') {
    super(message, 'ALREADY_RESUMED');
  }
}

/** The execution has not reached its wait yet. */
export class NotWaitingYetError extends ConflictError {
  constructor() {
    super('the execution does not wait for this request yet: try again in a few seconds', 'NOT_WAITING_YET');
  }
}

/** The address does not accept the method of the request. */
export class MethodNotAllowedError extends AppError {
  /** Value of the `Allow` header. */
  readonly allowed: string;

  constructor(methods: readonly string[]) {
    const allowed = methods.join(', ');
    super({ code: 'METHOD_NOT_ALLOWED', message: `this address accepts only these methods: ${allowed}` });
    this.allowed = allowed;
  }
}

/** The request does not present the required credential. The message does not name it. */
export class UnauthorizedRequestError extends AppError {
  /** Value of the `WWW-Authenticate` header. */
  readonly scheme: string | undefined;

  constructor(scheme?: string) {
    super({ code: 'UNAUTHORIZED', message: 'the request does not present the required credentials' });
    this.scheme = scheme;
  }
}

/** Sets the response headers that say how, or when, to retry a rejected request. */
export function setRefusalHeaders(error: unknown, response: Response): void {
  if (error instanceof MethodNotAllowedError) response.setHeader('Allow', error.allowed);
  if (error instanceof NotWaitingYetError) setRetryAfter(response);
  if (error instanceof UnauthorizedRequestError && error.scheme !== undefined)
    response.setHeader('WWW-Authenticate', error.scheme);
}
