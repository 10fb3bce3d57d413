import { AppError } from '../errors.ts';
import { callerPolicies } from './caller-policy.ts';
import type { ExecutionMode, ExecutionStatus } from './execution-status.ts';
import { misfirePolicies, overlapPolicies } from './trigger.ts';
import type { WorkflowSettings } from './workflow.ts';

/** A setting of the workflow is invalid for a run. */
class InvalidWorkflowSettingError extends AppError {
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

/**
 * As `timezoneOf`, with `fallback` also for a zone that does not exist: the node that uses it
 * reports the error.
 */
export function knownTimezoneOf(settings: WorkflowSettings | undefined, fallback: string): string {
  try {
    return timezoneOf(settings, fallback);
  } catch {
    return fallback;
  }
}

/**
 * A setting and its valid values; with any other value, the service ignores it or the run fails.
 */
interface KnownSetting {
  allowed: string;
  isAllowed: (value: unknown) => boolean;
}

function oneOf(...values: readonly (string | boolean)[]): KnownSetting {
  const allowed = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  return { allowed, isAllowed: (value) => value === 'DEFAULT' || values.some((each) => each === value) };
}

const knownSettings: Readonly<Record<string, KnownSetting>> = {
  timezone: {
    allowed: 'an IANA time zone, such as "Europe/Berlin"',
    isAllowed: (value) => value === 'DEFAULT' || (typeof value === 'string' && isTimezone(value)),
  },
  callerPolicy: oneOf(...callerPolicies),
  saveDataSuccessExecution: oneOf('all', 'none'),
  saveDataErrorExecution: oneOf('all', 'none'),
  saveManualExecutions: oneOf(true, false),
  misfirePolicy: oneOf(...misfirePolicies),
  overlapPolicy: oneOf(...overlapPolicies),
};

/**
 * Issues with settings whose values the service ignores or refuses at a run. Absent and empty
 * settings have no issues. The contract refuses wrong types and numbers out of range.
 */
export function settingProblems(settings: WorkflowSettings | undefined): { setting: string; message: string }[] {
  return Object.entries(knownSettings).flatMap(([setting, { allowed, isAllowed }]) => {
    const value = settings?.[setting];
    if (value === undefined || value === null || value === '' || isAllowed(value)) return [];
    return [{ setting, message: `the setting "${setting}" must be ${allowed}, but is ${JSON.stringify(value).slice(0, 100)}` }];
  });
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
 * Whether the workflow keeps an execution with this result: for manual executions by
 * `saveManualExecutions`, for others by their status. Crashed ones are always kept, because a retry
 * continues them.
 */
export function keepsExecution(settings: WorkflowSettings | undefined, mode: ExecutionMode, status: ExecutionStatus): boolean {
  if (status !== 'success' && status !== 'error') return true;
  if (mode === 'manual') return settings?.saveManualExecutions !== false;
  return (status === 'success' ? settings?.saveDataSuccessExecution : settings?.saveDataErrorExecution) !== 'none';
}
