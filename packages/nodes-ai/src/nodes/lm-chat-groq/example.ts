import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A chain asks a Groq model.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Translate "{{ $json.text }}" into English.' },
    },
    Model: {
      type: 'ai.lm-chat-groq',
      parameters: { model: 'llama-3.3-70b-versatile', options: { temperature: 0.2 } },
      credential: 'groqApi',
      to: { Chain: 'ai_languageModel' },
    },
  },
  items: [{ text: 'Adios.' }],
  apis: { openAi: [{ text: 'Goodbye.' }] },
  output: { node: 'Chain', items: [{ text: 'Goodbye.' }] },
};
