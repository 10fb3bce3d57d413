import { AppError, ConflictError, type ExecutionId } from '@sluice/domain';

export type NoAnswerCode = 'EXECUTION_FAILED' | 'NO_ANSWER' | 'ANSWER_TIMEOUT' | 'SERVICE_UNAVAILABLE';

/** A call has started an execution, and gets no answer of it. */
export class NoAnswerError extends AppError {
  readonly executionId: ExecutionId;

  constructor(code: NoAnswerCode, message: string, executionId: ExecutionId) {
    super({ code, message });
    this.executionId = executionId;
  }
}

/** An execution has gone on, or has ended. */
export class AlreadyResumedError extends ConflictError {
  constructor(message = 'the execution does not wait for this call any more') {
    super(message, 'ALREADY_RESUMED');
  }
}

/** An execution has not come to its wait yet. */
export class NotWaitingYetError extends ConflictError {
  constructor() {
    super('the execution does not wait for this call yet: call again in a few seconds', 'NOT_WAITING_YET');
  }
}

/** The method of a call is none of those that its address answers to. */
export class MethodNotAllowedError extends AppError {
  /** As the header `Allow` has it. */
  readonly allowed: string;

  constructor(methods: readonly string[]) {
    const allowed = methods.join(', ');
    super({ code: 'METHOD_NOT_ALLOWED', message: `this address takes these methods only: ${allowed}` });
    this.allowed = allowed;
  }
}
