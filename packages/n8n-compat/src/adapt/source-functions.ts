import type { ListenContext, PollContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { openMachineFile } from '../context/file-helpers.ts';
import { outsideRunFunctions, portsOf } from '../context/outside-run-functions.ts';
import { RunStaticData } from '../context/static-data.ts';

/**
 * The `this` of a poll or listener, and its static data: the `node` part is its cursor; all nodes
 * share the `global` part.
 */
export async function sourceFunctions(type: RunningType, context: PollContext | ListenContext, mode: PollContext['mode']) {
  const global = (await context.sharedData?.read()) ?? {};
  const staticData = await RunStaticData.open({ global, node: { ...context.cursor } });
  const functions = outsideRunFunctions({
    type,
    ports: portsOf(context),
    workflow: context.workflow,
    read: (name) => context.parameter(name, 0),
    binary: context.binary,
    openFile: (path) => openMachineFile(context.files, path),
    ...(context.evaluateText && { evaluateText: context.evaluateText }),
    ...(context.relatives && { relatives: context.relatives }),
    staticData: (part) => staticData.of(part),
    mode,
  });
  return { functions, staticData };
}
