import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
  type Tool,
} from '@sluice/node-sdk';
import { choiceParameter, namesParameter, refuseUnsupported, stringOf } from '@sluice/nodes-base/node-tools';
import type { McpSession } from '../../adapter/mcp-session.ts';
import { toolOutput } from '../../shared/mcp-output.ts';
import { mcpTransportOf, mcpUnsupportedUses, withMcpServer } from '../../shared/mcp-server.ts';
import { toolName } from '../../shared/tool-name.ts';

/** Maximum number of characters in a description. */
const maxDescription = 10_000;

/** The included tools, as the server lists them now. */
export async function supplyMcpTools(context: ExecuteContext, itemIndex: number): Promise<Tool[]> {
  refuseUnsupported(context, mcpUnsupportedUses, itemIndex);
  const listed = await connect(context, itemIndex, context.signal, (session) => session.listTools());
  const isIncluded = inclusion(context, itemIndex);
  const tools = listed.filter((tool) => typeof tool['name'] === 'string' && isIncluded(tool['name']));
  if (tools.length > 0) return tools.map((tool) => toTool(context, itemIndex, tool));
  throw new NodeOperationError('the MCP server has none of the selected tools', {
    itemIndex,
    description: listed.length === 0 ? 'The server lists no tools' : 'Check the names under "Tools to Include"',
  });
}

function inclusion(context: ExecuteContext, itemIndex: number): (name: string) => boolean {
  const include = choiceParameter(context, 'include', itemIndex, ['all', 'selected', 'except'], 'all');
  if (include === 'all') return () => true;
  const named = new Set(namesParameter(context, include === 'selected' ? 'includeTools' : 'excludeTools', itemIndex));
  return (name) => named.has(name) === (include === 'selected');
}

function toTool(context: ExecuteContext, itemIndex: number, tool: JsonObject): Tool {
  const name = stringOf(tool['name']);
  const schema = ownProperty(tool, 'inputSchema');
  const description = ownProperty(tool, 'description');
  return {
    name: toolName(name),
    description: typeof description === 'string' ? description.slice(0, maxDescription) : '',
    inputSchema: { ...(isJsonObject(schema) && schema), type: 'object' },
    run: (input, signal) => call(context, itemIndex, name, input, signal),
  };
}

async function call(
  context: ExecuteContext,
  itemIndex: number,
  name: string,
  input: JsonValue,
  signal: AbortSignal,
): Promise<JsonValue> {
  const args = isJsonObject(input) ? input : {};
  return toolOutput(await connect(context, itemIndex, signal, (session) => session.callTool(name, args)));
}

function connect<T>(
  context: ExecuteContext,
  itemIndex: number,
  signal: AbortSignal,
  work: (session: McpSession) => Promise<T>,
): Promise<T> {
  const { typeVersion } = context;
  if (typeVersion < 1.1) return withMcpServer({ context, itemIndex, signal, endpoint: 'sseEndpoint', transport: 'sse' }, work);
  const transport = mcpTransportOf(context, itemIndex, typeVersion < 1.2 ? 'sse' : 'httpStreamable');
  return withMcpServer({ context, itemIndex, signal, endpoint: 'endpointUrl', transport }, work);
}
