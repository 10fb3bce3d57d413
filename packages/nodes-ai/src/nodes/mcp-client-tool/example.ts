import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent asks the MCP server of a weather service.',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: '={{ $json.question }}' } },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
    Weather: {
      type: 'ai.mcp-client-tool',
      typeVersion: 1.2,
      parameters: { endpointUrl: 'https://mcp.example.com/mcp', include: 'selected', includeTools: ['weather'] },
      to: { Agent: 'ai_tool' },
    },
  },
  items: [{ question: 'How is the weather in Rome?' }],
  apis: {
    openAi: [{ calls: [{ name: 'weather', input: { city: 'Rome' } }] }, { text: 'It is sunny.' }],
    mcp: [],
  },
  output: { node: 'Agent', items: [{ output: 'It is sunny.' }] },
};
