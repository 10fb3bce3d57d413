import {
  type ExecuteContext,
  type HttpAuthentication,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
  type Tool,
} from '@sluice/node-sdk';
import {
  choiceParameter,
  namesParameter,
  numberParameter,
  refuseUnsupported,
  requiredText,
} from '@sluice/nodes-base/node-tools';
import { type McpSession, withMcpSession } from '../../adapter/mcp-session.ts';
import { toolName } from '../../shared/tool-name.ts';
import { toolOutput } from './tool-output.ts';
import { unsupportedUses } from './unsupported-uses.ts';

const defaultTimeoutMs = 60_000;
const maxTimeoutMs = 3_600_000;
/** Most characters of a description. */
const maxDescription = 10_000;

/** The included tools, as the server lists them now. */
export async function supplyMcpTools(context: ExecuteContext, itemIndex: number): Promise<Tool[]> {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const listed = await connect(context, itemIndex, context.signal, (session) => session.listTools());
  const isIncluded = inclusion(context, itemIndex);
  const tools = listed.filter((tool) => typeof tool['name'] === 'string' && isIncluded(tool['name']));
  if (tools.length > 0) return tools.map((tool) => toTool(context, itemIndex, tool));
  throw new NodeOperationError('the MCP server has none of the wanted tools', {
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
  const name = String(tool['name']);
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

async function connect<T>(
  context: ExecuteContext,
  itemIndex: number,
  signal: AbortSignal,
  work: (session: McpSession) => Promise<T>,
): Promise<T> {
  const timeout = numberParameter(context, 'options.timeout', itemIndex, defaultTimeoutMs);
  const options = {
    url: endpointOf(context, itemIndex),
    transport: transportOf(context, itemIndex),
    http: context.http,
    authentication: await authenticationOf(context, itemIndex),
    timeoutMs: Math.min(Math.max(1, timeout), maxTimeoutMs),
    signal,
  };
  return withMcpSession(options, work);
}

/** An address without a scheme is one of HTTPS. */
function endpointOf(context: ExecuteContext, itemIndex: number): URL {
  const written = requiredText(context, context.typeVersion < 1.1 ? 'sseEndpoint' : 'endpointUrl', itemIndex).trim();
  const url = URL.parse(written.includes('://') ? written : `https://${written}`);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new NodeOperationError('the endpoint of the MCP server is not a URL', {
    itemIndex,
    description: 'Use an address such as https://example.com/mcp',
  });
}

function transportOf(context: ExecuteContext, itemIndex: number): 'httpStreamable' | 'sse' {
  const { typeVersion } = context;
  const fallback = typeVersion < 1.2 ? 'sse' : 'httpStreamable';
  if (typeVersion < 1.1) return fallback;
  return choiceParameter(context, 'serverTransport', itemIndex, ['httpStreamable', 'sse'], fallback);
}

const credentialTypes = { bearerAuth: 'httpBearerAuth', headerAuth: 'httpHeaderAuth', oAuth2Api: 'oAuth2Api' } as const;

async function authenticationOf(context: ExecuteContext, itemIndex: number): Promise<HttpAuthentication | undefined> {
  const kinds = ['none', 'bearerAuth', 'headerAuth', 'oAuth2Api'] as const;
  const kind = choiceParameter(context, 'authentication', itemIndex, kinds, 'none');
  return kind === 'none' ? undefined : context.authentication(credentialTypes[kind], itemIndex);
}
