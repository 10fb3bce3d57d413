import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A chain asks a Mistral model.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Translate "{{ $json.text }}" into English.' },
    },
    Model: {
      type: 'ai.lm-chat-mistral-cloud',
      parameters: { model: 'mistral-small-latest', options: { safeMode: true } },
      credential: 'mistralCloudApi',
      to: { Chain: 'ai_languageModel' },
    },
  },
  items: [{ text: 'Adios.' }],
  apis: { openAi: [{ text: 'Goodbye.' }] },
  output: { node: 'Chain', items: [{ text: 'Goodbye.' }] },
};
