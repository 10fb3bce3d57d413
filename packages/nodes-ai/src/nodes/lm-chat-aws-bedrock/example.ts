import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A chain asks an Amazon Bedrock model through an inference profile.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '=Translate "{{ $json.text }}" into English.' },
    },
    Model: {
      type: 'ai.lm-chat-aws-bedrock',
      typeVersion: 1.1,
      parameters: {
        modelSource: 'inferenceProfile',
        model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        options: { maxTokensToSample: 200 },
      },
      credential: 'aws',
      to: { Chain: 'ai_languageModel' },
    },
  },
  items: [{ text: 'Adios.' }],
  apis: { bedrock: [{ text: 'Goodbye.' }] },
  output: { node: 'Chain', items: [{ text: 'Goodbye.' }] },
};
