import type { JsonValue } from '@sluice/domain';
import type { MethodContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { type BesideRun, besideRunFunctions, portsOf } from '../context/beside-run-functions.ts';
import { callGuarded } from '../context/to-node-error.ts';

/** What a function outside of runs, polls and listeners is called with. */
export interface BesideCall extends Pick<BesideRun, 'staticData'>, Partial<Pick<BesideRun, 'binary' | 'openFile' | 'mode'>> {
  type: RunningType;
  context: MethodContext;
  /** Functions beside those that all have. */
  further?: object;
}

/** Makes a call beside runs; `call` is given the functions of its context. */
export async function callBeside(
  { context, further = {}, mode = 'trigger', ...given }: BesideCall,
  call: (functions: object) => unknown,
): Promise<unknown> {
  const functions = besideRunFunctions({
    ...given,
    ports: portsOf(context),
    workflow: context.workflow,
    read: (name) => context.parameter<JsonValue | (undefined & JsonValue)>(name),
    evaluateText: context.evaluateText,
    ...(context.relatives && { relatives: context.relatives }),
    mode,
  });
  return callGuarded(context, async () => call({ ...functions, ...further }));
}
