import { NodeOperationError, type NodeType, type PollContext, type PollResult } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import { callGuarded } from '../context/to-node-error.ts';
import { callWithContext } from './call-with-context.ts';
import { sourceFunctions } from './source-functions.ts';
import { toNodeOutput } from './to-node-output.ts';

/** A poll that uses its static data as the cursor. */
export function adaptPoll(type: CommunityNodeType): NonNullable<NodeType['poll']> {
  return async (context: PollContext): Promise<PollResult> => {
    const { functions, staticData } = await sourceFunctions(type, context, context.mode);
    return callGuarded(context, async () => {
      const output = await callWithContext(type, type.poll, functions);
      const { node: cursor, global: shared } = (await staticData.changed()) ?? {};
      if (cursor) context.saveCursor(cursor);
      if (shared) context.sharedData?.save(shared);
      if (output === null || output === undefined) return null;
      if (Array.isArray(output)) return toNodeOutput(output, context);
      throw new NodeOperationError(
        `poll must return a list of items for each output, or null, not a value of type ${typeof output}`,
      );
    });
  };
}
