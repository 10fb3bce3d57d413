import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A chain asks an model of the Vercel AI Gateway.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Translate "{{ $json.text }}" into English.' },
    },
    Model: {
      type: 'ai.lm-chat-vercel-ai-gateway',
      parameters: { model: 'openai/gpt-4.1-mini', options: { temperature: 0.2 } },
      credential: 'vercelAiGatewayApi',
      to: { Chain: 'ai_languageModel' },
    },
  },
  items: [{ text: 'Adios.' }],
  apis: { openAi: [{ text: 'Goodbye.' }] },
  output: { node: 'Chain', items: [{ text: 'Goodbye.' }] },
};
