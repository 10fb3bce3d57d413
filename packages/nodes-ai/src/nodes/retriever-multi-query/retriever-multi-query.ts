import { type ExecuteContext, NodeOperationError, type NodeType, type Retriever, type TextDocument } from '@sluice/node-sdk';
import { number, numberParameter, options, stringOf, text, textParameter } from '@sluice/nodes-base/node-tools';
import { answerOnce } from '../../shared/answer-once.ts';
import { modelsOf } from '../../shared/ask-model.ts';
import { retrieverOf } from '../../shared/connected-retriever.ts';
import { filled } from '../../shared/filled-template.ts';

const standardPrompt = `Write {queryCount} different versions of the question of the user, to find documents that one wording would miss. Write each on a line of its own, without numbers and without other text.`;
/** Maximum number of variants of a question. */
const maxQueries = 20;
/** Maximum number of documents returned for one question. */
const maxDocuments = 10_000;

/** Queries another retriever with several variants of the question, which a model writes. */
export const retrieverMultiQuery: NodeType = {
  description: {
    displayName: 'MultiQuery Retriever',
    name: 'retriever-multi-query',
    group: ['transform'],
    version: [1],
    description:
      'Lets a model rephrase the question in several ways, and returns the documents that a retriever finds for any of them',
    defaults: { name: 'MultiQuery Retriever' },
    inputs: [],
    outputs: ['ai_retriever'],
    subNodes: [
      { type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 },
      { type: 'ai_retriever', displayName: 'Retriever', required: true, maxCount: 1 },
    ],
    properties: [
      options([
        number('queryCount', 'Query Count', 3, `How many wordings the model writes; ${maxQueries} at most`),
        text('prompt', 'Prompt', 'Instructions for the model; `{queryCount}` becomes the number', { default: standardPrompt }),
      ]),
    ],
    icon: 'fa:box-open',
  },
  supply: (context, itemIndex): Retriever => ({
    retrieve: async (query, signal) => {
      const retriever = await retrieverOf(context, itemIndex);
      const unique = new Map<string, TextDocument>();
      for (const wording of await wordingsOf(context, itemIndex, query, signal)) {
        for (const document of await retriever.retrieve(wording, signal)) {
          if (unique.size < maxDocuments) unique.set(JSON.stringify(document), document);
        }
      }
      return [...unique.values()];
    },
  }),
};

async function wordingsOf(context: ExecuteContext, itemIndex: number, query: string, signal: AbortSignal): Promise<string[]> {
  const requested = Math.trunc(numberParameter(context, 'options.queryCount', itemIndex, 3));
  const count = Math.min(Math.max(1, requested), maxQueries);
  const prompt = textParameter(context, 'options.prompt', itemIndex) || standardPrompt;
  const { text: answer } = await answerOnce({
    models: await modelsOf(context, itemIndex),
    messages: [
      { role: 'system', content: filled(prompt, { queryCount: stringOf(count), question: query }) },
      { role: 'user', content: query },
    ],
    signal,
  });
  const wordings = answer.split('\n', 1_000).map((line) => line.trim());
  const distinct = [...new Set(wordings)].filter((line) => line !== '').slice(0, count);
  if (distinct.length > 0) return distinct;
  throw new NodeOperationError('the model wrote no versions of the question', {
    itemIndex,
    description: 'Change the prompt of the retriever, or use another model',
  });
}
