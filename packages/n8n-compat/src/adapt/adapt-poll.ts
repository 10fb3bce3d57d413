import type { Item, NodeType, PollContext } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import { withNodeErrors } from '../context/to-node-error.ts';
import { callWithContext } from './call-with-context.ts';
import { sourceFunctions } from './source-functions.ts';
import { toNodeOutput } from './to-node-output.ts';

/** A poll whose static data are the cursor. Of several outputs the first one counts. */
export function adaptPoll(type: CommunityNodeType): NonNullable<NodeType['poll']> {
  return (context: PollContext): Promise<readonly Item[] | null> => {
    const { functions, staticData } = sourceFunctions(type, context, context.mode);
    return withNodeErrors(context.signal, async () => {
      const given = await callWithContext(type, type.poll, functions);
      const { node: cursor } = staticData.changed() ?? {};
      if (cursor) context.keepCursor(cursor);
      if (given === null || given === undefined) return null;
      const [items] = await toNodeOutput(given, context);
      return items ?? null;
    });
  };
}
