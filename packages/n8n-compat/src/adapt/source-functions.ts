import type { ListenContext, PollContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { besideRunFunctions, portsOf } from '../context/beside-run-functions.ts';
import { RunStaticData } from '../context/static-data.ts';

/** The `this` of a poll or a listener, and the cursor, which is its static data of the node. */
export function sourceFunctions(type: RunningType, context: PollContext | ListenContext, mode: PollContext['mode']) {
  const staticData = new RunStaticData({ global: {}, node: { ...context.cursor } });
  const functions = besideRunFunctions({
    type,
    ports: portsOf(context),
    workflow: context.workflow,
    read: (name) => context.parameter(name, 0),
    binary: context.binary,
    staticData: staticData.of('node'),
    mode,
  });
  return { functions, staticData };
}
