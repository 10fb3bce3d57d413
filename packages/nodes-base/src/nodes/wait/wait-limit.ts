import type { ExecuteContext } from '@sluice/node-sdk';
import { dateOf, durationOf } from '../../shared/durations.ts';
import { booleanParameter, choiceParameter } from '../../shared/parameters.ts';

/** When to continue without a request, in milliseconds since the epoch; `undefined`: never. */
export function waitLimit(context: ExecuteContext): number | undefined {
  if (!booleanParameter(context, 'limitWaitTime', 0, false)) return undefined;
  const type = choiceParameter(context, 'limitType', 0, ['afterTimeInterval', 'atSpecifiedTime'], 'afterTimeInterval');
  if (type === 'atSpecifiedTime') return dateOf(context, 'maxDateAndTime');
  return Date.now() + durationOf(context, { amount: 'resumeAmount', unit: 'resumeUnit' }, { amount: 1, unit: 'hours' });
}
