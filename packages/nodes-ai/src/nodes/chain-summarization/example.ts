import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model summarizes the two chunks of text, then both summaries.',
  nodes: {
    Summarize: {
      type: 'ai.chain-summarization',
      typeVersion: 2.1,
      parameters: {
        operationMode: 'nodeInputJson',
        chunkSize: 40,
        chunkOverlap: 0,
        options: {
          summarizationMethodAndPrompts: {
            values: {
              summarizationMethod: 'map_reduce',
              combineMapPrompt: 'Summarize in five words: {text}',
              prompt: 'Write one sentence from these summaries: {text}',
            },
          },
        },
      },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Summarize: 'ai_languageModel' },
    },
  },
  items: [{ article: 'Cats sleep most of the day. Dogs need a walk.' }],
  apis: { openAi: [{ text: 'Pets rest.' }, { text: 'Pets walk.' }, { text: 'Pets rest and walk.' }] },
  output: { node: 'Summarize', items: [{ output: { text: 'Pets rest and walk.' } }] },
};
