import type { ExecuteContext } from '@sluice/node-sdk';
import { dateOf, durationOf } from '../../shared/durations.ts';
import { choiceParameter } from '../../shared/parameters.ts';
import { pause } from '../../shared/pause.ts';

/**
 * A wait up to this long stays in memory: suspending costs about as much as the worker slot that it
 * occupies.
 */
const heldMs = 1_500;

/** Waits a short time, or suspends the node run until the given time. */
export async function waitUntil(context: ExecuteContext): Promise<void> {
  const resume = choiceParameter(context, 'resume', 0, ['timeInterval', 'specificTime'], 'timeInterval');
  const now = Date.now();
  const at = resume === 'timeInterval' ? now + intervalMs(context) : dateOf(context, 'dateTime');
  if (at - now > heldMs) context.suspend({ kind: 'time', at });
  else await pause(Math.max(0, at - now), context.signal);
}

function intervalMs(context: ExecuteContext): number {
  const isFirst = context.typeVersion < 1.1;
  const fallback = isFirst ? ({ amount: 1, unit: 'hours' } as const) : ({ amount: 5, unit: 'seconds' } as const);
  return durationOf(context, { amount: 'amount', unit: 'unit' }, fallback);
}
