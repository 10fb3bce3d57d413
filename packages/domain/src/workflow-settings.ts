import { AppError } from './errors.ts';
import type { ExecutionMode, ExecutionStatus } from './execution-status.ts';
import type { WorkflowSettings } from './workflow.ts';

/** A workflow has a setting that a run cannot go by. */
export class InvalidWorkflowSettingError extends AppError {
  readonly description = 'Change the setting of the workflow, or take it away: the default of the service counts then';

  constructor(message: string) {
    super({ code: 'INVALID_WORKFLOW_SETTING', message });
  }
}

/** The workflow's time zone; `fallback` where it sets none. Throws `InvalidWorkflowSettingError` for one that does not exist. */
export function timezoneOf(settings: WorkflowSettings | undefined, fallback: string): string {
  const zone: unknown = settings?.timezone;
  if (zone === undefined || zone === null || zone === '' || zone === 'DEFAULT') return fallback;
  if (typeof zone === 'string' && isTimezone(zone)) return zone;
  throw new InvalidWorkflowSettingError(
    `the workflow's setting "timezone" is no IANA time zone, such as "Europe/Berlin": ${JSON.stringify(zone).slice(0, 100)}`,
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
 * Whether the workflow wants an execution kept that ended so. Manual ones by `saveManualExecutions`, all others by how they
 * ended; what died with its worker is kept always, since a retry goes on from it.
 */
export function keepsExecution(settings: WorkflowSettings | undefined, mode: ExecutionMode, status: ExecutionStatus): boolean {
  if (status !== 'success' && status !== 'error') return true;
  if (mode === 'manual') return settings?.saveManualExecutions !== false;
  return (status === 'success' ? settings?.saveDataSuccessExecution : settings?.saveDataErrorExecution) !== 'none';
}
