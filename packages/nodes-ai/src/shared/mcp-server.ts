import {
  type ExecuteContext,
  type HttpAuthentication,
  NodeOperationError,
  type NodeProperty,
  type NodeTypeDescription,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { choice, choiceParameter, choices, numberParameter, requiredText, where } from '@sluice/nodes-base/node-tools';
import { type McpSession, withMcpSession } from '../adapter/mcp-session.ts';

const defaultTimeoutMs = 60_000;
const maxTimeoutMs = 3_600_000;

/** Choices of the parameter `serverTransport`. */
export const mcpTransports = choices(['sse', 'Server Sent Events'], ['httpStreamable', 'HTTP Streamable']);

/** Credentials of the MCP nodes, by `authentication`. */
export const mcpCredentials: NonNullable<NodeTypeDescription['credentials']> = [
  { name: 'httpBearerAuth', ...where({ authentication: ['bearerAuth'] }) },
  { name: 'httpHeaderAuth', ...where({ authentication: ['headerAuth'] }) },
  { name: 'oAuth2Api', ...where({ authentication: ['oAuth2Api'] }) },
];

/** The parameter `authentication`. */
export const mcpAuthentication: NodeProperty = choice(
  'authentication',
  'Authentication',
  choices(
    ['none', 'None'],
    ['bearerAuth', 'Bearer Auth'],
    ['headerAuth', 'Header Auth'],
    ['oAuth2Api', 'OAuth2'],
    ['mcpOAuth2Api', 'MCP OAuth2', 'Not supported: it registers clients by itself'],
    ['multipleHeadersAuth', 'Multiple Headers Auth', 'Not supported'],
  ),
);

/** Authentication kinds that occur in exports and that Sluice rejects. */
export const mcpUnsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'authentication',
    values: ['mcpOAuth2Api', 'multipleHeadersAuth'],
    what: 'this authentication of MCP servers',
    hint: 'Use Bearer Auth, Header Auth, or OAuth2',
  },
];

/** A connection to a node's server, for one item. */
interface McpServerUse {
  context: Pick<ExecuteContext, 'authentication' | 'http' | 'parameter' | 'typeVersion'>;
  itemIndex: number;
  signal: AbortSignal;
  /** Name of the parameter with the address. */
  endpoint: string;
  transport: 'httpStreamable' | 'sse';
}

/** Connects to the server that the node names, runs `work`, and disconnects. */
export async function withMcpServer<T>(use: McpServerUse, work: (session: McpSession) => Promise<T>): Promise<T> {
  const { context, itemIndex, signal } = use;
  const timeout = numberParameter(context, 'options.timeout', itemIndex, defaultTimeoutMs);
  const options = {
    url: endpointOf(use),
    transport: use.transport,
    http: context.http,
    authentication: await authenticationOf(context, itemIndex),
    timeoutMs: Math.min(Math.max(1, timeout), maxTimeoutMs),
    signal,
  };
  return withMcpSession(options, work);
}

/** Reads the transport from the parameter `serverTransport`. */
export function mcpTransportOf(
  context: McpServerUse['context'],
  itemIndex: number,
  fallback: McpServerUse['transport'],
): McpServerUse['transport'] {
  return choiceParameter(context, 'serverTransport', itemIndex, ['httpStreamable', 'sse'], fallback);
}

/** The server address; `https:` is the default scheme. */
function endpointOf({ context, itemIndex, endpoint }: McpServerUse): URL {
  const written = requiredText(context, endpoint, itemIndex).trim();
  const url = URL.parse(written.includes('://') ? written : `https://${written}`);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new NodeOperationError('the endpoint of the MCP server is not a URL', {
    itemIndex,
    description: 'Use an address such as https://example.com/mcp',
  });
}

const credentialTypes = { bearerAuth: 'httpBearerAuth', headerAuth: 'httpHeaderAuth', oAuth2Api: 'oAuth2Api' } as const;

async function authenticationOf(context: McpServerUse['context'], itemIndex: number): Promise<HttpAuthentication | undefined> {
  const kinds = ['none', 'bearerAuth', 'headerAuth', 'oAuth2Api'] as const;
  const kind = choiceParameter(context, 'authentication', itemIndex, kinds, 'none');
  return kind === 'none' ? undefined : context.authentication(credentialTypes[kind], itemIndex);
}
