import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, names, number, options, text, when, where } from '@sluice/nodes-base/node-tools';
import { supplyMcpTools } from './supply-mcp-tools.ts';
import { unsupportedUses } from './unsupported-uses.ts';

const transports = choices(['sse', 'Server Sent Events'], ['httpStreamable', 'HTTP Streamable']);

/** The tools of an MCP server as tools of an agent. */
export const mcpClientTool: NodeType = {
  description: {
    displayName: 'MCP Client Tool',
    name: 'mcp-client-tool',
    group: ['transform'],
    version: [1, 1.1, 1.2],
    defaultVersion: 1.2,
    description:
      'Lets an agent use the tools of an MCP server. They are listed when the agent starts. Each list and each call has a connection of its own',
    defaults: { name: 'MCP Client' },
    inputs: [],
    outputs: ['ai_tool'],
    credentials: [
      { name: 'httpBearerAuth', ...where({ authentication: ['bearerAuth'] }) },
      { name: 'httpHeaderAuth', ...where({ authentication: ['headerAuth'] }) },
      { name: 'oAuth2Api', ...where({ authentication: ['oAuth2Api'] }) },
    ],
    properties: [
      text('sseEndpoint', 'SSE Endpoint', 'Address of the server, such as https://example.com/sse', {
        required: true,
        ...when([1]),
      }),
      text('endpointUrl', 'Endpoint', 'Address of the server, such as https://example.com/mcp', {
        required: true,
        ...when([1.1, 1.2]),
      }),
      choice('serverTransport', 'Server Transport', transports, when([1.1])),
      choice('serverTransport', 'Server Transport', transports, { default: 'httpStreamable', ...when([1.2]) }),
      choice(
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
      ),
      choice('include', 'Tools to Include', choices(['all', 'All'], ['selected', 'Selected'], ['except', 'All Except'])),
      names('includeTools', 'Tools to Include', 'Names of tools', { default: [], ...where({ include: ['selected'] }) }),
      names('excludeTools', 'Tools to Exclude', 'Names of tools', { default: [], ...where({ include: ['except'] }) }),
      options([number('timeout', 'Timeout', 60_000, 'Milliseconds for the connection, and for each call of a tool')]),
    ],
    icon: 'fa:plug',
  },
  unsupported: unsupportedUses,
  supply: supplyMcpTools,
};
