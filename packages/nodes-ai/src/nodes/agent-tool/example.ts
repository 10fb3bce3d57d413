import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent gives a calculation to a second agent, which has a calculator.',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: '={{ $json.question }}' } },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel', Accountant: 'ai_languageModel' },
    },
    Accountant: {
      type: 'ai.agent-tool',
      typeVersion: 2.2,
      parameters: {
        toolDescription: 'Calculates sums',
        text: "={{ $fromAI('task', 'the sum to calculate', 'string') }}",
        options: { systemMessage: 'You are an accountant' },
      },
      to: { Agent: 'ai_tool' },
    },
    Calculator: { type: 'ai.tool-calculator', to: { Accountant: 'ai_tool' } },
  },
  items: [{ question: 'How much are three coffees at 4 euros each?' }],
  apis: {
    openAi: [
      { calls: [{ name: 'Accountant', input: { task: '3 coffees at 4 euros' } }] },
      { calls: [{ name: 'calculator', input: { input: '3 * 4' } }] },
      { text: 'The sum is 12.' },
      { text: 'They cost 12 euros.' },
    ],
  },
  output: { node: 'Agent', items: [{ output: 'They cost 12 euros.' }] },
};
