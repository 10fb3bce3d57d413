import { AppError } from '@sluice/domain';

/** A rule that says no time: a cron expression that cannot be read, or a number out of its range. */
export class InvalidScheduleError extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super({ code: 'INVALID_SCHEDULE', message, ...options });
  }
}
