import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'The answer becomes a list of at most two strings.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Name cities in {{ $json.state }}.', hasOutputParser: true },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Chain: 'ai_languageModel' },
    },
    List: {
      type: 'ai.output-parser-item-list',
      parameters: { options: { numberOfItems: 2 } },
      to: { Chain: 'ai_outputParser' },
    },
  },
  items: [{ state: 'Utah' }],
  apis: { openAi: [{ text: 'Salt Lake City\nProvo\nOgden' }] },
  output: { node: 'Chain', items: [{ output: ['Salt Lake City', 'Provo'] }] },
};
