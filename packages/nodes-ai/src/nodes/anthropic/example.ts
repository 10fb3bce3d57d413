import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An Anthropic model answers a question.',
  nodes: {
    Claude: {
      type: 'ai.anthropic',
      parameters: {
        modelId: { __rl: true, mode: 'id', value: 'claude-sonnet-4-5' },
        messages: { values: [{ content: '={{ $json.question }}' }] },
        options: { system: 'Be brief.', maxTokens: 200 },
      },
      credential: 'anthropicApi',
    },
  },
  items: [{ question: 'What is the capital of Italy?' }],
  apis: { anthropic: [{ text: 'Rome' }] },
  output: { node: 'Claude', items: [{ content: [{ type: 'text', text: 'Rome' }] }] },
};
