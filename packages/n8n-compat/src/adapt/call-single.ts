import type { ExecuteContext } from '@sluice/node-sdk';
import type { CommunityFunction, RunningType } from '../community-types.ts';
import { singleFunctions } from '../context/single-functions.ts';
import { RunStaticData } from '../context/static-data.ts';
import { callGuarded } from '../context/to-node-error.ts';

/** The place of a call of a declarative function. */
export interface SinglePlace {
  type: RunningType;
  context: ExecuteContext;
  itemIndex: number;
}

/** Shared by all items of a run. */
const known = new WeakMap<ExecuteContext, Promise<RunStaticData>>();

function staticDataOf(context: ExecuteContext): Promise<RunStaticData> {
  const found = known.get(context) ?? readStaticData(context);
  known.set(context, found);
  return found;
}

async function readStaticData({ staticData }: ExecuteContext): Promise<RunStaticData> {
  return RunStaticData.open((await staticData?.read()) ?? { global: {}, node: {} });
}

/**
 * Calls a function of a declarative type for one item. `further`: functions of its `this` in
 * addition to the common ones.
 */
export async function callSingle(
  call: CommunityFunction,
  { type, context, itemIndex }: SinglePlace,
  values: readonly unknown[],
  further: object = {},
): Promise<unknown> {
  const staticData = await staticDataOf(context);
  const functions = singleFunctions({ context, type, staticData }, itemIndex);
  const work = async () => {
    const result = await call.call({ ...functions, ...further }, ...(values as never[]));
    const changed = await staticData.changed();
    if (changed) context.staticData?.keep(changed);
    return result;
  };
  return callGuarded(context, work, itemIndex);
}
