import type { AiExample } from '../../testing/ai-example.ts';

const topicIs = (value: string) => ({
  options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
  conditions: [
    { id: '1', leftValue: '={{ $json.topic }}', rightValue: value, operator: { type: 'string', operation: 'equals' } },
  ],
  combinator: 'and',
});

export const example: AiExample = {
  shows: 'Questions about code go to a larger model than others.',
  nodes: {
    Chain: {
      type: 'ai.chain-llm',
      typeVersion: 1.7,
      parameters: { promptType: 'define', text: '={{ $json.question }}' },
    },
    Selector: {
      type: 'ai.model-selector',
      parameters: { rules: { rule: [{ modelIndex: 2, conditions: topicIs('code') }, { modelIndex: 1 }] } },
      to: { Chain: 'ai_languageModel' },
    },
    Small: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Selector: 'ai_languageModel' },
    },
    Large: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o' },
      credential: 'openAiApi',
      to: { Selector: 'ai_languageModel' },
    },
  },
  items: [{ topic: 'code', question: 'What does this function return?' }],
  apis: { openAi: [{ text: 'A list of names.' }] },
  output: { node: 'Chain', items: [{ text: 'A list of names.' }] },
};
