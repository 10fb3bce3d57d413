import type { ExecuteContext } from '@sluice/node-sdk';
import type { CommunityFunction, RunningType } from '../community-types.ts';
import { singleFunctions } from '../context/single-functions.ts';
import { RunStaticData } from '../context/static-data.ts';
import { withNodeErrors } from '../context/to-node-error.ts';

/** Where a function of a declarative type is called. */
export interface SinglePlace {
  type: RunningType;
  context: ExecuteContext;
  itemIndex: number;
}

/** Calls a function of a declarative type for one item. `further`: functions of its `this` beside those that all have. */
export async function callSingle(
  call: CommunityFunction,
  { type, context, itemIndex }: SinglePlace,
  values: readonly unknown[],
  further: object = {},
): Promise<unknown> {
  const functions = singleFunctions({ context, type, staticData: new RunStaticData({ global: {}, node: {} }) }, itemIndex);
  return withNodeErrors(context.signal, async () => call.call({ ...functions, ...further }, ...(values as never[])), itemIndex);
}
