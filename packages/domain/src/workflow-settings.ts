import { AppError } from './errors.ts';
import type { ExecutionMode, ExecutionStatus } from './execution-status.ts';
import type { WorkflowSettings } from './workflow.ts';

/** A setting of the workflow is invalid for a run. */
export class InvalidWorkflowSettingError extends AppError {
  readonly description = 'Change or remove the setting of the workflow; without it, the default of the service applies';

  constructor(message: string) {
    super({ code: 'INVALID_WORKFLOW_SETTING', message });
  }
}

/**
 * The workflow's time zone; `fallback` if it sets none. Throws `InvalidWorkflowSettingError` if the
 * zone does not exist.
 */
export function timezoneOf(settings: WorkflowSettings | undefined, fallback: string): string {
  const zone: unknown = settings?.timezone;
  if (zone === undefined || zone === null || zone === '' || zone === 'DEFAULT') return fallback;
  if (typeof zone === 'string' && isTimezone(zone)) return zone;
  throw new InvalidWorkflowSettingError(
    `the workflow's setting "timezone" is not an IANA time zone, such as "Europe/Berlin": ${JSON.stringify(zone).slice(0, 100)}`,
  );
}

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the workflow keeps an execution with this result: manual ones by `saveManualExecutions`,
 * others by their status. Crashed ones are always kept, because a retry continues them.
 */
export function keepsExecution(settings: WorkflowSettings | undefined, mode: ExecutionMode, status: ExecutionStatus): boolean {
  if (status !== 'success' && status !== 'error') return true;
  if (mode === 'manual') return settings?.saveManualExecutions !== false;
  return (status === 'success' ? settings?.saveDataSuccessExecution : settings?.saveDataErrorExecution) !== 'none';
}
