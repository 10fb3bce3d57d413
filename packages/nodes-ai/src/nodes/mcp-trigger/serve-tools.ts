import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type McpRequest,
  mcpError,
  mcpInvalidParams,
  mcpResult,
  mcpToolResult,
  type NodeOutput,
  ownProperty,
  readMcpMessage,
  type Tool,
  type WebhookResponse,
} from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';
import { runTools } from '../../shared/run-tools.ts';
import { uniquelyNamed } from '../../shared/tool-name.ts';

/**
 * Responds to the request of a client. The output describes it; without a request, it lists the
 * tools.
 */
export async function serveTools(context: ExecuteContext): Promise<NodeOutput> {
  const tools = uniquelyNamed((await context.connected('ai_tool', 0)).map(({ value }) => value));
  const request = requestIn(context);
  if (!request) return [[{ json: { tools: tools.map(shown) } }]];
  const served = request.method === 'tools/list' ? list(request, tools) : await call(context, request, tools);
  await context.respond?.(served.response);
  return [[{ json: served.json }]];
}

interface Served {
  response: WebhookResponse;
  json: JsonObject;
}

/** The API has responded to all other messages. */
function requestIn(context: ExecuteContext): McpRequest | undefined {
  const body = ownProperty(context.items()[0]?.json ?? {}, 'body');
  const message = readMcpMessage(body, { name: context.node.name, version: '' });
  return 'method' in message ? message : undefined;
}

function list({ id, method }: McpRequest, tools: readonly Tool[]): Served {
  return { response: mcpResult(id, { tools: tools.map(shown) }), json: { method, tools: tools.map(({ name }) => name) } };
}

function shown({ name, description, inputSchema }: Tool): JsonObject {
  return { name, description, inputSchema: { ...inputSchema, type: 'object' } };
}

async function call(context: ExecuteContext, { id, method, params }: McpRequest, tools: readonly Tool[]): Promise<Served> {
  const name = ownProperty(params, 'name');
  const input = ownProperty(params, 'arguments') ?? {};
  if (typeof name !== 'string' || !tools.some((tool) => tool.name === name) || !isJsonObject(input)) {
    const problem = isJsonObject(input)
      ? `there is no tool "${stringOf(name).slice(0, 100)}"`
      : 'the arguments are not an object';
    return { response: mcpError(id, mcpInvalidParams, problem), json: { method, error: problem } };
  }
  const run = { tools, owner: context.workflow, signal: context.signal };
  const [result] = await runTools(run, [{ id: stringOf(id), name, input }]);
  const { output = null, isError = false } = result ?? {};
  return {
    response: mcpResult(id, mcpToolResult(textOf(output), isError)),
    json: { method, tool: name, arguments: input, output, ...(isError && { isError }) },
  };
}

function textOf(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
