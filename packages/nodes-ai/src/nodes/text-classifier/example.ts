import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'Questions about payments go to the first output, all others to the second.',
  nodes: {
    Classifier: {
      type: 'ai.text-classifier',
      typeVersion: 1.1,
      parameters: {
        inputText: '={{ $json.question }}',
        categories: { categories: [{ category: 'Payment', description: 'invoices, refunds, and prices' }] },
        options: { fallback: 'other' },
      },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Classifier: 'ai_languageModel' },
    },
  },
  items: [{ question: 'Where is my refund?' }, { question: 'Are you open today?' }],
  apis: { openAi: [{ text: '{"categories":["Payment"]}' }, { text: '{"categories":[]}' }] },
  output: { node: 'Classifier', items: [{ question: 'Where is my refund?' }] },
};
