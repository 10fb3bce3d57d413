import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model classifies reviews; good ones go to the first output.',
  nodes: {
    Sentiment: {
      type: 'ai.sentiment-analysis',
      typeVersion: 1.1,
      parameters: {
        inputText: '={{ $json.review }}',
        options: { categories: 'Good, Bad', includeDetailedResults: true },
      },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Sentiment: 'ai_languageModel' },
    },
  },
  items: [{ review: 'Lovely!' }],
  apis: { openAi: [{ text: '{"sentiment":"Good","strength":0.9,"confidence":0.8}' }] },
  output: {
    node: 'Sentiment',
    items: [{ review: 'Lovely!', sentimentAnalysis: { category: 'Good', strength: 0.9, confidence: 0.8 } }],
  },
};
