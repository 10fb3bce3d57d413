import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent looks up a person.',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: '={{ $json.question }}' } },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
    Wikipedia: { type: 'ai.tool-wikipedia', to: { Agent: 'ai_tool' } },
  },
  items: [{ question: 'Who was Ada Lovelace?' }],
  apis: {
    openAi: [{ calls: [{ name: 'wikipedia-api', input: { input: 'Ada Lovelace' } }] }, { text: 'A mathematician.' }],
    wikipedia: [],
  },
  output: { node: 'Agent', items: [{ output: 'A mathematician.' }] },
};
