import type { ExecuteContext, Tool, ToolCall } from '@sluice/node-sdk';
import { NodeOperationError } from '@sluice/node-sdk';
import { numberParameter } from '@sluice/nodes-base/node-tools';
import { runTools } from './run-tools.ts';
import { uniquelyNamed } from './tool-name.ts';

/** Maximum number of tool rounds for one item, regardless of the node's setting. */
const maxRounds = 1_000;

/** The tools that are connected to a provider node. */
export async function toolsOf(context: ExecuteContext, itemIndex: number): Promise<Tool[]> {
  return uniquelyNamed((await context.connected('ai_tool', itemIndex)).map(({ value }) => value));
}

/** Call results as text, in order. */
async function resultTexts(context: ExecuteContext, tools: readonly Tool[], calls: readonly ToolCall[]): Promise<string[]> {
  const results = await runTools({ tools, owner: context.workflow, signal: context.signal }, calls);
  return results.map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output)));
}

/** A provider's answer and its tool calls. */
interface ToolRound<T> {
  answer: T;
  calls: readonly ToolCall[];
}

/**
 * Asks until the provider calls no more tools. `ask` receives the results of the previous calls;
 * stops at `options.maxToolsIterations`.
 */
export async function untilAnswered<T>(
  context: ExecuteContext,
  itemIndex: number,
  tools: readonly Tool[],
  ask: (previous: ToolRound<T> | undefined, results: readonly string[]) => Promise<ToolRound<T>>,
): Promise<T> {
  const wanted = numberParameter(context, 'options.maxToolsIterations', itemIndex, 15);
  const limit = wanted <= 0 ? maxRounds : Math.min(Math.trunc(wanted), maxRounds);
  let round = await ask(undefined, []);
  for (let rounds = 0; round.calls.length > 0; rounds += 1) {
    if (rounds >= limit)
      throw new NodeOperationError(`the model did not finish within ${limit} rounds of tools`, {
        itemIndex,
        description: 'Raise "Max Tool Calls Iterations", or give the model a clearer task',
      });
    round = await ask(round, await resultTexts(context, tools, round.calls));
  }
  return round.answer;
}
