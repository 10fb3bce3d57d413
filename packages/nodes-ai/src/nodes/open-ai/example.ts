import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model answers with JSON, which is parsed.',
  nodes: {
    OpenAI: {
      type: 'ai.open-ai',
      typeVersion: 1.8,
      parameters: {
        modelId: { __rl: true, mode: 'id', value: 'gpt-4o-mini' },
        messages: {
          values: [{ role: 'system', content: 'Answer with JSON: { "city": … }' }, { content: '={{ $json.question }}' }],
        },
        jsonOutput: true,
      },
      credential: 'openAiApi',
    },
  },
  items: [{ question: 'What is the capital of Italy?' }],
  apis: { openAi: [{ text: '{"city":"Rome"}' }] },
  output: {
    node: 'OpenAI',
    items: [{ index: 0, message: { role: 'assistant', content: { city: 'Rome' } }, finish_reason: 'stop' }],
  },
};
