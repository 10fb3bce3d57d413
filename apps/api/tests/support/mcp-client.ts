import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { loadAiNodeTypes } from '@sluice/nodes-ai';
import { ownerKey } from './test-api.ts';

interface ToolResult {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests read results freely
  json: any;
  /** Text after the JSON. */
  notes: string[];
}

/** A client of the official MCP library, connected to an API's MCP server. */
export interface McpClient {
  client: Client;
  /** Names of the offered tools. */
  toolNames(): Promise<string[]>;
  use(name: string, args?: object): Promise<ToolResult>;
  /** Like `use`, but fails if the tool fails. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read results freely
  get(name: string, args?: object): Promise<any>;
  close(): Promise<void>;
}

/** `origins`: API processes; requests alternate between them. */
export async function connectMcp(origins: readonly string[], key = ownerKey): Promise<McpClient> {
  const { Client, StreamableHTTPClientTransport } = await loadLibrary();
  let requests = 0;
  const fetchAtNext = (url: string | URL, init?: RequestInit) => {
    const origin = origins[requests++ % origins.length];
    return fetch(new URL(new URL(url).pathname, origin), init);
  };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', origins[0]), {
    fetch: fetchAtNext,
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const use: McpClient['use'] = async (name, args = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
    const [text = '', ...notes] = (content as { text: string }[]).map((part) => part.text);
    return { isError: isError === true, json: JSON.parse(text), notes };
  };
  return {
    client,
    use,
    async toolNames() {
      return (await client.listTools()).tools.map(({ name }) => name);
    },
    async get(name, args) {
      const { isError, json } = await use(name, args);
      if (isError) throw new Error(JSON.stringify(json));
      return json;
    },
    close: () => client.close(),
  };
}

/**
 * The types of AI nodes make Node load the published code of the library's dependencies, not their
 * sources.
 */
async function loadLibrary() {
  await loadAiNodeTypes();
  return {
    ...(await import('@modelcontextprotocol/sdk/client/index.js')),
    ...(await import('@modelcontextprotocol/sdk/client/sse.js')),
    ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
  };
}

/**
 * A client of the library with the older transport; its messages go to a different process than its
 * stream.
 */
export async function connectSse(url: string, messagesTo: string): Promise<Client> {
  const { Client, SSEClientTransport } = await loadLibrary();
  const transport = new SSEClientTransport(new URL(url), {
    fetch: (to: string | URL, init?: RequestInit) => {
      const { pathname, search } = new URL(to);
      return fetch(init?.method === 'POST' ? new URL(pathname + search, messagesTo) : to, init);
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}
