import { AppError } from '@sluice/domain';

/** An invalid rule: an unreadable cron expression or a number out of range. */
export class InvalidScheduleError extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super({ code: 'INVALID_SCHEDULE', message, ...options });
  }
}
