import type { JsonValue } from '@sluice/domain';
import type { MethodContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { type BesideRun, besideRunFunctions, portsOf } from '../context/beside-run-functions.ts';
import { callGuarded } from '../context/to-node-error.ts';

/** The call of a function outside of runs, polls, and listeners. */
export interface BesideCall extends Pick<BesideRun, 'staticData'>, Partial<Pick<BesideRun, 'binary' | 'openFile' | 'mode'>> {
  type: RunningType;
  context: MethodContext;
  /** Functions in addition to the common ones. */
  further?: object;
}

/** Calls a function outside of runs; `call` receives the functions of its context. */
export async function callBeside(
  { context, further = {}, mode = 'trigger', ...run }: BesideCall,
  call: (functions: object) => unknown,
): Promise<unknown> {
  const functions = besideRunFunctions({
    ...run,
    ports: portsOf(context),
    workflow: context.workflow,
    read: (name) => context.parameter<JsonValue | (undefined & JsonValue)>(name),
    evaluateText: context.evaluateText,
    ...(context.relatives && { relatives: context.relatives }),
    mode,
  });
  return callGuarded(context, async () => call({ ...functions, ...further }));
}
