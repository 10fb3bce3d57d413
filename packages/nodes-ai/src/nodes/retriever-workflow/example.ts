import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model answers a question with the documents that another workflow finds.',
  nodes: {
    Chain: {
      type: 'ai.chain-retrieval-qa',
      typeVersion: 1.6,
      parameters: { promptType: 'define', text: '={{ $json.question }}' },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Chain: 'ai_languageModel' },
    },
    Retriever: {
      type: 'ai.retriever-workflow',
      typeVersion: 1.1,
      parameters: {
        workflowId: { __rl: true, mode: 'id', value: 'search-wiki' },
        fields: { values: [{ name: 'language', stringValue: 'en' }] },
      },
      to: { Chain: 'ai_retriever' },
    },
  },
  items: [{ question: 'What do cats do?' }],
  apis: { openAi: [{ text: 'They purr.' }] },
  called: { 'search-wiki': ([item]) => [{ ...item, page: 'Cats purr.' }] },
  output: { node: 'Chain', items: [{ response: 'They purr.' }] },
};
