import { type ExecuteContext, type Item, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { coercedText, options, text, textParameter, when } from '@sluice/nodes-base/node-tools';
import { answerOnce } from '../../shared/answer-once.ts';
import { modelsOf } from '../../shared/ask-model.ts';
import { retrieverOf } from '../../shared/connected-retriever.ts';
import { contextPrompt, defaultSystemPrompt } from '../../shared/context-prompt.ts';
import { inBatches } from '../../shared/in-batches.ts';
import { promptOf } from '../../shared/prompt.ts';
import { batching, promptType } from '../../shared/prompt-properties.ts';

const withPromptType = [{ _cnd: { gte: 1.2 } }];

/** Answers a question from documents that a retriever finds. */
export const chainRetrievalQa: NodeType = {
  description: {
    displayName: 'Question and Answer Chain',
    name: 'chain-retrieval-qa',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7],
    description: 'Answers a question for each item, from documents that a retriever finds',
    defaults: { name: 'Question and Answer Chain' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [
      { type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 },
      { type: 'ai_retriever', displayName: 'Retriever', required: true, maxCount: 1 },
    ],
    properties: [
      text('query', 'Query', 'The question', when([1, 1.1])),
      promptType(when(withPromptType)),
      text('text', 'Prompt (User Message)', 'The question', when(withPromptType)),
      options([
        text('systemPromptTemplate', 'System Prompt Template', 'Instructions; `{context}` becomes the documents', {
          default: defaultSystemPrompt,
        }),
        batching(),
      ]),
    ],
    icon: 'fa:link',
  },
  execute: async (context) => [await inBatches(context, (_, itemIndex) => answer(context, itemIndex))],
};

async function answer(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const question = questionOf(context, itemIndex);
  const retriever = await retrieverOf(context, itemIndex);
  const models = await modelsOf(context, itemIndex);
  const documents = await retriever.retrieve(question, context.signal);
  const template = textParameter(context, 'options.systemPromptTemplate', itemIndex) || defaultSystemPrompt;
  const messages = contextPrompt(question, documents, template);
  const { text: response } = await answerOnce({ models, messages, signal: context.signal });
  return { json: context.typeVersion < 1.5 ? { response: { text: response } } : { response }, pairedItem: { item: itemIndex } };
}

function questionOf(context: ExecuteContext, itemIndex: number): string {
  if (context.typeVersion >= 1.2) return promptOf(context, itemIndex);
  const query = textParameter(context, 'query', itemIndex) || coercedText(context.items()[itemIndex]?.json['chatInput']);
  if (query.trim() !== '') return query;
  throw new NodeOperationError('there is no question', { itemIndex, description: 'Fill in "Query"' });
}
