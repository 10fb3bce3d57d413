import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, text, when, where } from '@sluice/nodes-base/node-tools';
import { mcpTriggerSpecs } from './mcp-trigger-spec.ts';
import { serveTools } from './serve-tools.ts';

/** The tools of a workflow as an MCP server. */
export const mcpTrigger: NodeType = {
  description: {
    displayName: 'MCP Server Trigger',
    name: 'mcp-trigger',
    group: ['trigger'],
    version: [1, 1.1, 2, 2.1],
    description:
      'Offers the connected tools to MCP clients, such as AI assistants, at `/webhook/mcp/<path>` over streamable HTTP, and at `/webhook/mcp/<path>/sse` over SSE, while the workflow is active. Each list of the tools, and each call of one, is an execution',
    defaults: { name: 'MCP Server Trigger' },
    inputs: [],
    outputs: ['main'],
    subNodes: [{ type: 'ai_tool', displayName: 'Tools', required: true }],
    credentials: [
      { name: 'httpBearerAuth', ...where({ authentication: ['bearerAuth'] }) },
      { name: 'httpHeaderAuth', ...where({ authentication: ['headerAuth'] }) },
    ],
    properties: [
      choice(
        'authentication',
        'Authentication',
        choices(['none', 'None'], ['bearerAuth', 'Bearer Auth'], ['headerAuth', 'Header Auth']),
      ),
      text('path', 'Path', 'End of the address; default: the `webhookId` of the node'),
      text(
        'instructions',
        'Instructions',
        'How the model of a client should use the tools; the client gets them when it connects',
        {
          ...when([{ _cnd: { gte: 2.1 } }]),
        },
      ),
    ],
    icon: 'fa:plug',
  },
  triggers: mcpTriggerSpecs,
  execute: serveTools,
};
