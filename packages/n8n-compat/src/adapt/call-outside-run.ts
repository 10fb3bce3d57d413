import type { JsonValue } from '@sluice/domain';
import type { MethodContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { type OutsideRun, outsideRunFunctions, portsOf } from '../context/outside-run-functions.ts';
import { callGuarded } from '../context/to-node-error.ts';

/** A call of a package function outside of runs, polls, and listeners. */
export interface OutsideRunCall
  extends Pick<OutsideRun, 'staticData'>,
    Partial<Pick<OutsideRun, 'binary' | 'openFile' | 'mode'>> {
  type: RunningType;
  context: MethodContext;
  /** Functions in addition to the common ones. */
  further?: object;
}

/** Calls a function outside of a run; `call` receives the functions of its context. */
export async function callOutsideRun(
  { context, further = {}, mode = 'trigger', ...run }: OutsideRunCall,
  call: (functions: object) => unknown,
): Promise<unknown> {
  const functions = outsideRunFunctions({
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
