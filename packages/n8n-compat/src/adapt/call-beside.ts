import type { JsonObject, JsonValue } from '@sluice/domain';
import type { MethodContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { besideRunFunctions, portsOf } from '../context/beside-run-functions.ts';
import { withNodeErrors } from '../context/to-node-error.ts';

/** What a function outside of runs, polls and listeners is called with. */
export interface BesideCall {
  type: RunningType;
  context: MethodContext & { workflow?: { id: string; name: string } };
  /** Functions beside those that all have. */
  further?: object;
  /** Changed in place. */
  staticData?: JsonObject;
}

/** Makes a call beside runs; `call` is given the functions of its context. */
export async function callBeside(
  { type, context, further = {}, staticData = {} }: BesideCall,
  call: (functions: object) => unknown,
): Promise<unknown> {
  const functions = besideRunFunctions({
    type,
    ports: portsOf(context),
    workflow: { id: '', name: '', timezone: 'UTC', ...context.workflow },
    read: (name) => context.parameter<JsonValue | (undefined & JsonValue)>(name),
    staticData,
    mode: 'trigger',
  });
  return withNodeErrors(context.signal, async () => call({ ...functions, ...further }));
}
