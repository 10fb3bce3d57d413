import { type JsonObject, NodeOperationError, type NodeType, type Tool } from '@sluice/node-sdk';
import { coercedText, number, numberParameter, text, textParameter, when } from '@sluice/nodes-base/node-tools';
import { answerOnce } from '../../shared/answer-once.ts';
import { modelsOf } from '../../shared/ask-model.ts';
import { contextPrompt } from '../../shared/context-prompt.ts';
import { toolName } from '../../shared/tool-name.ts';

/** A tool that answers a question from the documents of a vector store. */
export const toolVectorStore: NodeType = {
  description: {
    displayName: 'Vector Store Question Answer Tool',
    name: 'tool-vector-store',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Lets an agent ask a question that a model answers from documents in a vector store',
    defaults: { name: 'Answer questions with a vector store' },
    inputs: [],
    outputs: ['ai_tool'],
    subNodes: [
      { type: 'ai_vectorStore', displayName: 'Vector Store', required: true, maxCount: 1 },
      { type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 },
    ],
    properties: [
      text('name', 'Data Name', 'Name of the data, for the name of the tool', when([1])),
      text('description', 'Description of Data', 'What the documents are about'),
      number('topK', 'Limit', 4, 'Most documents'),
    ],
    computesOnly: true,
    icon: 'fa:database',
  },
  supply: (context, itemIndex): Tool => {
    const named = context.typeVersion < 1.1 ? textParameter(context, 'name', itemIndex) : '';
    const name = toolName(named || context.node.name);
    const about = textParameter(context, 'description', itemIndex);
    return {
      name,
      description: `Answers questions about ${name}. Use it whenever you need information about: ${about || name}. The input is a complete question.`,
      inputSchema: questionSchema,
      run: async (input, signal) => {
        const question = coercedText((input as JsonObject)['input']);
        const [store] = await context.connected('ai_vectorStore', itemIndex);
        if (!store)
          throw new NodeOperationError('no vector store is connected', { itemIndex, description: 'Connect one to the tool' });
        const topK = Math.max(1, Math.trunc(numberParameter(context, 'topK', itemIndex, 4)));
        const documents = await store.value.search({ text: question, topK }, signal);
        const models = await modelsOf(context, itemIndex);
        return (await answerOnce({ models, messages: contextPrompt(question, documents), signal })).text;
      },
    };
  },
};

const questionSchema: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'a complete question' } },
  required: ['input'],
};
