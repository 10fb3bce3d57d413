import type { ExecuteContext, NodeOutput, NodeType, ResumeEvent } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import { executeFunctions } from '../context/execute-functions.ts';
import { copyManyItems } from '../context/item-reader.ts';
import { SmallFiles } from '../context/small-files.ts';
import { RunStaticData } from '../context/static-data.ts';
import { callGuarded } from '../context/to-node-error.ts';
import { callWithContext } from './call-with-context.ts';
import { toNodeOutput } from './to-node-output.ts';

/** Runs a community node's `execute` with its own context as `this`. */
export function adaptExecute(type: CommunityNodeType): NonNullable<NodeType['execute']> {
  return async (context) => {
    const staticData = await RunStaticData.open((await context.staticData?.read()) ?? { global: {}, node: {} });
    const smallFiles = await SmallFiles.of({ binary: context.binary, items: (input) => context.items(input) });
    const copies = await copyManyItems(context, smallFiles);
    const sending: Promise<void>[] = [];
    const functions = executeFunctions({ context, type, staticData, smallFiles, copies, sending });
    return callGuarded(context, async () => {
      const output = await callWithContext(type, type.execute, functions);
      await Promise.all(sending);
      const changed = await staticData.changed();
      if (changed) context.staticData?.save(changed);
      if (Object.keys(functions.nodeContext).length > 0) context.setNodeContext(functions.nodeContext);
      const hasErrorOutput = context.continueOnFail && context.node.onError === 'continueErrorOutput';
      return toNodeOutput(output, { binary: context.binary, smallFiles, hasErrorOutput });
    });
  };
}

/** A resumed node outputs its items, or the data of the request that resumed it. */
export function resumeWaited(context: ExecuteContext, event: ResumeEvent): NodeOutput {
  if (event.kind !== 'call') return [[...context.items()]];
  const { headers, params, query, body } = event.request;
  return [[{ json: { headers, params, query, body }, pairedItem: { item: 0 } }]];
}
