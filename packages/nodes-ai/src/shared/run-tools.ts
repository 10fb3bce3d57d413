import {
  errorMessage,
  isNodeOperationError,
  type JsonValue,
  jsonWeight,
  NodeOperationError,
  stringifyJson,
  type Tool,
  type ToolCall,
  type ToolResultPart,
} from '@sluice/node-sdk';
import type { TaskOptions } from '@sluice/nodes-base/node-tools';
import { maxArgumentsLength } from '../adapter/tool-arguments.ts';
import { endsRun } from './ask-model.ts';
import { checkJson } from './json-checks.ts';

interface ToolRun {
  tools: readonly Tool[];
  owner: TaskOptions['owner'];
  signal: AbortSignal;
}

/**
 * Maximum number of calls in one answer. Models make a few; a stream can contain hundreds of
 * thousands.
 */
const maxCalls = 1_000;
/** Maximum number of tool names in the result of a call to an unknown tool. */
const maxNamed = 100;
const notParsed = `they are not valid JSON, or have more than ${maxArgumentsLength} characters`;

/**
 * Runs the calls of one answer concurrently; results are in call order. A tool error is a result,
 * too. Throws `NodeOperationError` for more than `maxCalls` calls.
 */
export async function runTools(run: ToolRun, calls: readonly ToolCall[]): Promise<ToolResultPart[]> {
  if (calls.length > maxCalls)
    throw new NodeOperationError(`the model called ${calls.length} tools at once, but ${maxCalls} are allowed`, {
      description: 'Give the model a narrower task, or use another model',
    });
  const byName = new Map(run.tools.map((tool) => [tool.name, tool]));
  const names = [...byName.keys()];
  const toolNames = [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ['…'] : [])].join(', ') || 'none';
  return Promise.all(calls.map((call) => runTool(byName.get(call.name), call, run, toolNames)));
}

async function runTool(tool: Tool | undefined, call: ToolCall, run: ToolRun, toolNames: string): Promise<ToolResultPart> {
  const { id, name, input } = call;
  const result = (output: JsonValue, isError: boolean): ToolResultPart => ({
    type: 'toolResult',
    id,
    name,
    output,
    ...(isError && { isError }),
  });
  if (!tool) return result(`There is no tool "${name}". Tools: ${toolNames}.`, true);
  const refusal = await refusalOf(tool, input, run);
  if (refusal !== undefined) return result(refusal, true);
  try {
    return result(await sendable(await tool.run(input, run.signal), run.signal), false);
  } catch (error) {
    if (endsRun(error, run.signal)) throw error;
    return result(`The tool failed: ${failureText(error)}`, true);
  }
}

/** Maximum number of characters in a result; no model reads more. */
const maxLength = 4_000_000;
/** Maximum number of values that libraries serialize at once, with every later model call. */
const maxValues = 20_000;

/** A large result as text. */
async function sendable(output: JsonValue, signal: AbortSignal): Promise<JsonValue> {
  const isLarge = typeof output !== 'string' && jsonWeight(output, maxValues) > maxValues;
  const sent = isLarge ? await stringifyJson(output, { signal, maxLength }) : output;
  if (typeof sent !== 'string' || sent.length <= maxLength) return sent;
  throw new Error(`its result has more than ${maxLength} characters`);
}

/** Why the arguments are refused; `undefined` if they are valid. */
async function refusalOf(tool: Tool, value: ToolCall['input'], { owner, signal }: ToolRun): Promise<string | undefined> {
  if (typeof value === 'string') return `The arguments are not valid: ${notParsed}`;
  try {
    const { problems } = await checkJson({ schema: tool.inputSchema, value }, { owner, signal });
    return problems.length === 0 ? undefined : `The arguments are not valid: ${problems.join('; ')}`;
  } catch (error) {
    signal.throwIfAborted();
    return `The arguments cannot be checked: ${errorMessage(error)}`;
  }
}

function failureText(error: unknown): string {
  const hint = isNodeOperationError(error) && error.description ? ` (${error.description})` : '';
  return `${errorMessage(error)}${hint}`;
}
