import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'An agent looks up an order in another workflow; the model chooses the order number.',
  nodes: {
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: '={{ $json.question }}' } },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Agent: 'ai_languageModel' },
    },
    'Find order': {
      type: 'ai.tool-workflow',
      typeVersion: 2.2,
      parameters: {
        description: 'Finds an order by its number',
        workflowId: { __rl: true, mode: 'id', value: 'find-order' },
        workflowInputs: {
          mappingMode: 'defineBelow',
          value: { order: "={{ $fromAI('order', 'number of the order', 'number') }}", country: 'IT' },
          schema: [
            { id: 'order', type: 'number' },
            { id: 'country', type: 'string' },
          ],
        },
      },
      to: { Agent: 'ai_tool' },
    },
  },
  items: [{ question: 'Where is order 7?' }],
  apis: {
    openAi: [{ calls: [{ name: 'Find_order', input: { order: 7 } }] }, { text: 'On its way to Rome.' }],
  },
  called: { 'find-order': ([item]) => [{ ...item, city: 'Rome', state: 'on its way' }] },
  output: { node: 'Agent', items: [{ output: 'On its way to Rome.' }] },
};
