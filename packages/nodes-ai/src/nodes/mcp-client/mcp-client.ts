import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, number, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { mcpAuthentication, mcpCredentials, mcpTransports, mcpUnsupportedUses } from '../../shared/mcp-server.ts';
import { callMcpTool } from './call-mcp-tool.ts';
import { mcpMethods } from './mcp-methods.ts';

/** Calls one tool of an MCP server as a step. Version 1.1 behaves as version 1. */
export const mcpClient: NodeType = {
  description: {
    displayName: 'MCP Client',
    name: 'mcp-client',
    group: ['transform'],
    version: [1, 1.1],
    description:
      'Calls a tool of an MCP server for each item. Outputs the content of its result; text that is JSON is parsed. Each call has a connection of its own',
    defaults: { name: 'MCP Client' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: mcpCredentials,
    properties: [
      choice('serverTransport', 'Server Transport', mcpTransports, { default: 'httpStreamable' }),
      text('endpointUrl', 'MCP Endpoint URL', 'Address of the server, such as https://example.com/mcp', { required: true }),
      mcpAuthentication,
      text('tool', 'Tool', 'The tool: from the list, or by its name', {
        required: true,
        acceptsAnyValue: true,
        typeOptions: { searchListMethod: 'getTools' },
      }),
      choice('inputMode', 'Input Mode', choices(['manual', 'Manual'], ['json', 'JSON'])),
      text(
        'parameters',
        'Parameters',
        'A resource mapper: `mappingMode` is `defineBelow` (arguments from `value`) or `autoMapInputData` (those that the `schema` lists, from the item)',
        {
          type: 'json',
          default: { mappingMode: 'defineBelow', value: null },
          typeOptions: { resourceMapper: { resourceMapperMethod: 'getToolParameters', mode: 'add' } },
          ...where({ inputMode: ['manual'] }),
        },
      ),
      text('jsonInput', 'JSON', 'The arguments as an object', {
        type: 'json',
        default: '{}',
        ...where({ inputMode: ['json'] }),
      }),
      options([
        toggle('convertToBinary', 'Convert to Binary', 'Whether images and sounds become files of the item, not Base64', {
          default: true,
        }),
        number('timeout', 'Timeout', 60_000, 'Milliseconds for the connection, and for the call'),
      ]),
    ],
    icon: 'fa:plug',
  },
  unsupported: mcpUnsupportedUses,
  methods: mcpMethods,
  execute: callMcpTool,
};
