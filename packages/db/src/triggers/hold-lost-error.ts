import { AppError } from '@sluice/domain';

/** The worker that held a poll or a listener may no longer write for it. */
export class HoldLostError extends AppError {
  constructor() {
    super({
      code: 'TRIGGER_CLOSED',
      message: 'the workflow is no longer active with this trigger, or another worker has it now',
    });
  }
}
