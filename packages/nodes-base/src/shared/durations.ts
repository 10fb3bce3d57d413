import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, numberParameter, textParameter } from './parameters.ts';
import { parseDate } from './parse-date.ts';

/** A hundred years; a longer wait is a mistake. */
const longestMs = 100 * 366 * 86_400_000;

const unitMs = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
export const waitUnits = ['seconds', 'minutes', 'hours', 'days'] as const;

/** A duration in milliseconds from two parameters. */
export function durationOf(
  context: ExecuteContext,
  names: { amount: string; unit: string },
  fallback: { amount: number; unit: (typeof waitUnits)[number] },
): number {
  const amount = numberParameter(context, names.amount, 0, fallback.amount);
  const unit = choiceParameter(context, names.unit, 0, waitUnits, fallback.unit);
  const ms = amount * unitMs[unit];
  if (ms >= 0 && ms <= longestMs) return ms;
  throw new NodeOperationError(`the parameter "${names.amount}" must be between 0 and 100 years`, {
    itemIndex: 0,
    description: 'Set how long to wait; check the result of an expression',
  });
}

/**
 * A parameter in milliseconds since the epoch; text without an offset is in the workflow's time
 * zone.
 */
export function dateOf(context: ExecuteContext, name: string): number {
  const parameter = textParameter(context, name, 0);
  const at = parseDate(parameter, context.workflow.timezone);
  if (at !== undefined && at <= Date.now() + longestMs) return at;
  throw new NodeOperationError(`the parameter "${name}" must be a date and time of the next 100 years`, {
    description: 'For example 2030-01-31T08:00:00, or an expression with $now.',
  });
}
