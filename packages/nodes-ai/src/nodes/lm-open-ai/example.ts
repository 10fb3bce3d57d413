import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A chain asks an OpenAI model. New workflows should use the chat model instead.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Translate "{{ $json.text }}" into English.' },
    },
    Model: {
      type: 'ai.lm-open-ai',
      parameters: { model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' }, options: { temperature: 0.2 } },
      credential: 'openAiApi',
      to: { Chain: 'ai_languageModel' },
    },
  },
  items: [{ text: 'Adios.' }],
  apis: { openAi: [{ text: 'Goodbye.' }] },
  output: { node: 'Chain', items: [{ text: 'Goodbye.' }] },
};
