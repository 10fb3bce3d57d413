import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, names, number, options, text, when, where } from '@sluice/nodes-base/node-tools';
import { mcpAuthentication, mcpCredentials, mcpTransports, mcpUnsupportedUses } from '../../shared/mcp-server.ts';
import { supplyMcpTools } from './supply-mcp-tools.ts';

/** The tools of an MCP server, for an agent. */
export const mcpClientTool: NodeType = {
  description: {
    displayName: 'MCP Client Tool',
    name: 'mcp-client-tool',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4],
    defaultVersion: 1.2,
    description:
      'Lets an agent use the tools of an MCP server. They are listed when the agent starts. Each list and each call has a connection of its own',
    defaults: { name: 'MCP Client' },
    inputs: [],
    outputs: ['ai_tool'],
    credentials: mcpCredentials,
    properties: [
      text('sseEndpoint', 'SSE Endpoint', 'Address of the server, such as https://example.com/sse', {
        required: true,
        ...when([1]),
      }),
      text('endpointUrl', 'Endpoint', 'Address of the server, such as https://example.com/mcp', {
        required: true,
        ...when([{ _cnd: { gte: 1.1 } }]),
      }),
      choice('serverTransport', 'Server Transport', mcpTransports, when([1.1])),
      choice('serverTransport', 'Server Transport', mcpTransports, {
        default: 'httpStreamable',
        ...when([{ _cnd: { gte: 1.2 } }]),
      }),
      mcpAuthentication,
      choice('include', 'Tools to Include', choices(['all', 'All'], ['selected', 'Selected'], ['except', 'All Except'])),
      names('includeTools', 'Tools to Include', 'Names of tools', { default: [], ...where({ include: ['selected'] }) }),
      names('excludeTools', 'Tools to Exclude', 'Names of tools', { default: [], ...where({ include: ['except'] }) }),
      options([number('timeout', 'Timeout', 60_000, 'Milliseconds for the connection, and for each call of a tool')]),
    ],
    icon: 'fa:plug',
  },
  unsupported: mcpUnsupportedUses,
  supply: supplyMcpTools,
};
