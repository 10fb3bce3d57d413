import {
  errorMessage,
  type HttpAuthentication,
  type HttpClient,
  isAppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
  untilAborted,
} from '@sluice/node-sdk';
import { guardedFetch } from './guarded-fetch.ts';

interface McpSessionOptions {
  url: URL;
  transport: 'httpStreamable' | 'sse';
  http: HttpClient;
  /** Attached to each request; it also checks the host. */
  authentication: HttpAuthentication | undefined;
  /** Milliseconds for the connection, and for each request. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface McpSession {
  /** All tools, in the order of the server. */
  listTools(): Promise<JsonObject[]>;
  /** The result as the server sent it. */
  callTool(name: string, args: JsonObject): Promise<JsonObject>;
}

/** Maximum number of bytes in a response, or in all events of a connection. */
const maxResponseBytes = 2 * 1024 * 1024;
/** Longest wait for the server to end a session, in milliseconds. */
const endMs = 2_000;
const maxPages = 50;
const maxTools = 1_000;

/**
 * Connects to an MCP server, does some work, and disconnects. The client offers the server no
 * capabilities: it responds to no requests and ignores notifications. Errors are
 * `NodeOperationError`s, or errors of the guarded client.
 */
export async function withMcpSession<T>(options: McpSessionOptions, work: (session: McpSession) => Promise<T>): Promise<T> {
  const { signal, timeoutMs, url } = options;
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const [{ Client }, { z }] = await Promise.all([import('@modelcontextprotocol/sdk/client/index.js'), import('zod')]);
  const client = new Client({ name: 'sluice', version: '1' });
  const transport = await openTransport(options, broken.reject);
  const limits = { signal, timeout: timeoutMs };
  const request = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const asking = client.request({ method, params }, z.looseObject({}), limits);
    return (await Promise.race([asking, broken.promise])) as JsonObject;
  };
  try {
    const connecting = Promise.race([client.connect(transport, limits), broken.promise]);
    await untilAborted(connecting, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    return await work({
      listTools: () => listTools((params) => request('tools/list', params)),
      callTool: (name, args) => request('tools/call', { name, arguments: args }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw isAppError(error) ? error : failed(error, url);
  } finally {
    await endSession(transport);
    await client.close().catch(() => undefined);
  }
}

/** Ends the session on the server, which would otherwise keep it until it expires. */
async function endSession(transport: Awaited<ReturnType<typeof openTransport>>): Promise<void> {
  if (!('terminateSession' in transport)) return;
  await untilAborted(transport.terminateSession(), AbortSignal.timeout(endMs)).catch(() => undefined);
}

async function openTransport(
  { url, transport, http, authentication, timeoutMs, signal }: McpSessionOptions,
  broken: (error: unknown) => void,
) {
  // The library does not report that a stream failed: the request would end at its timeout. The
  // stream of a GET carries only messages that the server starts, and the server may end it.
  const onBodyFailure = (error: unknown, method: string) => {
    if (method === 'POST' || transport === 'sse' || (isAppError(error) && error.code === 'HTTP_TOO_LARGE')) broken(error);
  };
  // A connection is used for several requests.
  const fetch = guardedFetch({ http, authentication, timeoutMs: timeoutMs * 4, signal, maxResponseBytes, onBodyFailure });
  if (transport === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return new SSEClientTransport(url, { fetch });
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const delay = { initialReconnectionDelay: 1_000, maxReconnectionDelay: 1_000, reconnectionDelayGrowFactor: 1 };
  return new StreamableHTTPClientTransport(url, { fetch, reconnectionOptions: { ...delay, maxRetries: 0 } });
}

async function listTools(ask: (params: JsonObject) => Promise<JsonObject>): Promise<JsonObject[]> {
  const tools: JsonObject[] = [];
  let cursor: JsonValue | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const result = await ask(cursor === undefined ? {} : { cursor });
    const listed = ownProperty(result, 'tools');
    if (Array.isArray(listed)) tools.push(...listed.slice(0, maxTools + 1 - tools.length).filter((tool) => isJsonObject(tool)));
    if (tools.length > maxTools) throw new NodeOperationError(`the MCP server has more than ${maxTools} tools`);
    cursor = ownProperty(result, 'nextCursor');
    if (typeof cursor !== 'string' || cursor === '') return tools;
  }
  throw new NodeOperationError(`the MCP server lists its tools on more than ${maxPages} pages`);
}

const hints = new Map([
  [401, 'Check the authentication of the node'],
  [403, 'Check what the credential may use'],
  [404, 'Check the endpoint, and whether the server uses the other transport'],
  [405, 'The server may use the other transport: SSE or streamable HTTP'],
]);

/** The library's errors have a code: the HTTP status, or a negative number of the protocol. */
function failed(error: unknown, { host }: URL): NodeOperationError {
  const { code } = error as { code?: unknown };
  const message = `the MCP server at ${host} failed: ${errorMessage(error).slice(0, 1_000)}`;
  const hint = typeof code === 'number' ? hints.get(code) : undefined;
  return new NodeOperationError(message, {
    description: hint ?? 'Check the endpoint and the transport of the node',
    cause: error,
  });
}
