import type { ExecuteContext } from '@sluice/node-sdk';
import type { CommunityFunction, RunningType } from '../community-types.ts';
import type { ExecuteParts } from '../context/execute-functions.ts';
import { copyManyItems } from '../context/item-reader.ts';
import { singleFunctions } from '../context/single-functions.ts';
import { RunStaticData } from '../context/static-data.ts';
import { callGuarded } from '../context/to-node-error.ts';

/** Where a declarative function is called. */
export interface SinglePlace {
  type: RunningType;
  context: ExecuteContext;
  itemIndex: number;
}

/** State that a run's functions share across all items. */
type RunState = Required<Pick<ExecuteParts, 'staticData' | 'copies'>>;

const runStates = new WeakMap<ExecuteContext, Promise<RunState>>();

function runState(context: ExecuteContext): Promise<RunState> {
  const state = runStates.get(context) ?? openRunState(context);
  runStates.set(context, state);
  return state;
}

async function openRunState(context: ExecuteContext): Promise<RunState> {
  const stored = (await context.staticData?.read()) ?? { global: {}, node: {} };
  return { staticData: await RunStaticData.open(stored), copies: await copyManyItems(context, undefined) };
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
  const { staticData, copies } = await runState(context);
  const sending: Promise<void>[] = [];
  const functions = singleFunctions({ context, type, staticData, copies, sending }, itemIndex);
  const work = async () => {
    const result = await call.call({ ...functions, ...further }, ...(values as never[]));
    await Promise.all(sending);
    const changed = await staticData.changed();
    if (changed) context.staticData?.save(changed);
    return result;
  };
  return callGuarded(context, work, itemIndex);
}
