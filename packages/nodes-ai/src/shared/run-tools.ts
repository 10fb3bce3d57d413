import {
  errorMessage,
  isNodeOperationError,
  type JsonValue,
  type Tool,
  type ToolCall,
  type ToolResultPart,
} from '@sluice/node-sdk';
import { endsRun } from './ask-model.ts';
import { schemaProblems } from './json-schema.ts';

/** Runs calls of a model at once; results are in the order of the calls. A failed tool is a result, too. */
export function runTools(tools: readonly Tool[], calls: readonly ToolCall[], signal: AbortSignal): Promise<ToolResultPart[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return Promise.all(calls.map((call) => runTool(byName.get(call.name), call, [...byName.keys()], signal)));
}

async function runTool(tool: Tool | undefined, call: ToolCall, known: string[], signal: AbortSignal): Promise<ToolResultPart> {
  const { id, name, input } = call;
  const result = (output: JsonValue, isError: boolean): ToolResultPart => ({
    type: 'toolResult',
    id,
    name,
    output,
    ...(isError && { isError }),
  });
  if (!tool) return result(`There is no tool "${name}". Tools: ${known.join(', ') || 'none'}.`, true);
  const problems = typeof input === 'string' ? ['the arguments are not valid JSON'] : schemaProblems(tool.inputSchema, input);
  if (problems.length > 0) return result(`The arguments are not valid: ${problems.join('; ')}`, true);
  try {
    return result(await tool.run(input, signal), false);
  } catch (error) {
    if (endsRun(error, signal)) throw error;
    return result(`The tool failed: ${failureText(error)}`, true);
  }
}

function failureText(error: unknown): string {
  const hint = isNodeOperationError(error) && error.description ? ` (${error.description})` : '';
  return `${errorMessage(error)}${hint}`;
}
