import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A tool for MCP clients at `/webhook/mcp/notes`. A manual run lists the tools.',
  nodes: {
    Server: { type: 'ai.mcp-trigger', typeVersion: 2, parameters: { path: 'notes' } },
    Think: {
      type: 'ai.tool-think',
      typeVersion: 1.1,
      parameters: { description: 'Notes a thought' },
      to: { Server: 'ai_tool' },
    },
  },
  output: {
    node: 'Server',
    items: [
      {
        tools: [
          {
            name: 'Think',
            description: 'Notes a thought',
            inputSchema: {
              type: 'object',
              properties: { input: { type: 'string', description: 'the thought' } },
              required: ['input'],
            },
          },
        ],
      },
    ],
  },
};
