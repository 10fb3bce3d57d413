import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model answers a question.',
  nodes: {
    Gemini: {
      type: 'ai.google-gemini',
      parameters: {
        modelId: { __rl: true, mode: 'id', value: 'models/gemini-2.5-flash' },
        messages: { values: [{ content: '={{ $json.question }}' }] },
        options: { systemMessage: 'Answer with one word.' },
      },
      credential: 'googlePalmApi',
    },
  },
  items: [{ question: 'What is the capital of Italy?' }],
  apis: { gemini: [{ text: 'Rome' }] },
  output: {
    node: 'Gemini',
    items: [{ content: { role: 'model', parts: [{ text: 'Rome' }] }, index: 0, finishReason: 'STOP' }],
  },
};
