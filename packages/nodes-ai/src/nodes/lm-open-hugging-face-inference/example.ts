import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A chain asks a model of the Hugging Face Inference Providers.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Translate "{{ $json.text }}" into English.' },
    },
    Model: {
      type: 'ai.lm-open-hugging-face-inference',
      parameters: { model: 'openai/gpt-oss-120b', options: { temperature: 0.2 } },
      credential: 'huggingFaceApi',
      to: { Chain: 'ai_languageModel' },
    },
  },
  items: [{ text: 'Adios.' }],
  apis: { openAi: [{ text: 'Goodbye.' }] },
  output: { node: 'Chain', items: [{ text: 'Goodbye.' }] },
};
