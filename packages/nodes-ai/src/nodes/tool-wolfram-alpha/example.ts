import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent looks up a distance.',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: '={{ $json.question }}' } },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
    Facts: { type: 'ai.tool-wolfram-alpha', credential: 'wolframAlphaApi', to: { Agent: 'ai_tool' } },
  },
  items: [{ question: 'How far is the moon?' }],
  apis: {
    openAi: [{ calls: [{ name: 'wolfram_alpha', input: { input: 'distance to the moon' } }] }, { text: 'About 384,400 km.' }],
    wolframAlpha: [],
  },
  output: { node: 'Agent', items: [{ output: 'About 384,400 km.' }] },
};
