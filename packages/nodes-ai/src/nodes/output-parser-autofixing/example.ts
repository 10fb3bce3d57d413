import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'The first answer is not JSON, so the model is asked to correct it.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Which cities does {{ $json.state }} have?', hasOutputParser: true },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Chain: 'ai_languageModel', Fixer: 'ai_languageModel' },
    },
    Fixer: { type: 'ai.output-parser-autofixing', to: { Chain: 'ai_outputParser' } },
    Format: {
      type: 'ai.output-parser-structured',
      typeVersion: 1.3,
      parameters: { jsonSchemaExample: '{ "cities": ["Los Angeles"] }' },
      to: { Fixer: 'ai_outputParser' },
    },
  },
  items: [{ state: 'Utah' }],
  apis: { openAi: [{ text: 'Salt Lake City, and others.' }, { text: '{ "cities": ["Salt Lake City"] }' }] },
  output: { node: 'Chain', items: [{ output: { cities: ['Salt Lake City'] } }] },
};
