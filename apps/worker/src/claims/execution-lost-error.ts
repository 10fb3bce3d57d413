import type { AttemptRef } from '@sluice/db';
import { AppError } from '@sluice/domain';

/**
 * The guard of a write failed: this worker no longer owns the execution and must not write anything
 * more for it.
 */
export class ExecutionLostError extends AppError {
  constructor({ executionId }: Pick<AttemptRef, 'executionId'>) {
    super({ code: 'EXECUTION_LOST', message: `execution ${executionId} is no longer this worker's` });
  }
}
