import { AppError, type ExecutionId } from '@sluice/domain';

export type NoAnswerCode = 'EXECUTION_FAILED' | 'NO_ANSWER' | 'ANSWER_TIMEOUT' | 'SERVICE_UNAVAILABLE';

/** A call has started an execution, and gets no answer of it. */
export class NoAnswerError extends AppError {
  readonly executionId: ExecutionId;

  constructor(code: NoAnswerCode, message: string, executionId: ExecutionId) {
    super({ code, message });
    this.executionId = executionId;
  }
}
