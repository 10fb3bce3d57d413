import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A tool of a weather service gets the city of the item.',
  nodes: {
    Weather: {
      type: 'ai.mcp-client',
      typeVersion: 1,
      parameters: {
        endpointUrl: 'https://mcp.example.com/mcp',
        tool: { __rl: true, mode: 'list', value: 'weather' },
        parameters: { mappingMode: 'defineBelow', value: { city: '={{ $json.city }}' } },
      },
    },
  },
  items: [{ city: 'Rome' }],
  apis: { mcp: [] },
  output: { node: 'Weather', items: [{ content: [{ type: 'text', text: 'sunny' }] }] },
};
