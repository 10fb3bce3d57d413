// cspell:ignore onsessioninitialized onsessionclosed
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listening } from '@sluice/http-client/testing';
import type { JsonObject } from '@sluice/node-sdk';

export interface McpTestServer {
  origin: string;
  /** Headers of all requests. */
  headers: IncomingMessage['headers'][];
  /** Calls of tools: name and arguments. */
  calls: JsonObject[];
  /** IDs of open sessions. */
  sessions: ReadonlyMap<string, unknown>;
  /** Ends the connections of all responses in progress. */
  drop(): void;
  close(): Promise<void>;
}

interface McpTestServerOptions {
  tools: readonly JsonObject[];
  /** Tools per page. */
  pageSize?: number;
  call(name: string, args: JsonObject): JsonObject | Promise<JsonObject>;
  /** Status of the error response to a request; `undefined`: the request is handled. */
  refuse?(headers: IncomingMessage['headers']): number | undefined;
}

/**
 * A loopback server of the protocol's own library: streamable HTTP at `/mcp` (with JSON at `/json`,
 * with sessions at `/session`), and SSE at `/sse`.
 */
export async function mcpTestServer(options: McpTestServerOptions): Promise<McpTestServer> {
  const headers: IncomingMessage['headers'][] = [];
  const calls: JsonObject[] = [];
  const streams = new Map<string, SSEServerTransport>();
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const responses = new Set<ServerResponse>();
  const protocol = () => protocolServer(options, calls);
  const connected = async (transport: StreamableHTTPServerTransport) => {
    await protocol().connect(transport as Parameters<Server['connect']>[0]);
    return transport;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    headers.push(request.headers);
    responses.add(response);
    response.once('close', () => responses.delete(response));
    const status = options.refuse?.(request.headers);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
    if (status !== undefined) response.writeHead(status).end('refused');
    else if (pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      streams.set(transport.sessionId, transport);
      await protocol().connect(transport);
    } else if (pathname === '/messages') {
      await streams.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    } else if (pathname === '/mcp' || pathname === '/json') {
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: pathname === '/json' });
      await (await connected(transport)).handleRequest(request, response);
    } else if (pathname === '/session') {
      const transport = sessions.get(String(request.headers['mcp-session-id']));
      await (transport ?? (await connected(withSession(sessions)))).handleRequest(request, response);
    } else response.writeHead(404).end();
  };
  const { port, close } = await listening(createServer((request, response) => void serve(request, response)));
  const drop = () => {
    for (const response of responses) response.destroy();
  };
  return { origin: `http://127.0.0.1:${port}`, headers, calls, sessions, drop, close };
}

function withSession(sessions: Map<string, StreamableHTTPServerTransport>): StreamableHTTPServerTransport {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  return transport;
}

function protocolServer({ tools, pageSize = 100, call }: McpTestServerOptions, calls: JsonObject[]): Server {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const nextCursor = from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {};
    return { tools: tools.slice(from, from + pageSize), ...nextCursor } as never;
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
    calls.push({ name, arguments: args as JsonObject });
    return (await call(name, args as JsonObject)) as never;
  });
  return server;
}
