import { NodeOperationError, type NodeType, type Retriever } from '@sluice/node-sdk';
import { number, numberParameter } from '@sluice/nodes-base/node-tools';

/** Finds documents in a vector store, for a chain. */
export const retrieverVectorStore: NodeType = {
  description: {
    displayName: 'Vector Store Retriever',
    name: 'retriever-vector-store',
    group: ['transform'],
    version: [1],
    description: 'Finds the documents in a vector store that are nearest to a question',
    defaults: { name: 'Vector Store Retriever' },
    inputs: [],
    outputs: ['ai_retriever'],
    subNodes: [{ type: 'ai_vectorStore', displayName: 'Vector Store', required: true, maxCount: 1 }],
    properties: [number('topK', 'Limit', 4, 'Most documents')],
    computesOnly: true,
    icon: 'fa:search',
  },
  supply: (context, itemIndex): Retriever => ({
    retrieve: async (query, signal) => {
      const [store] = await context.connected('ai_vectorStore', itemIndex);
      if (!store)
        throw new NodeOperationError('no vector store is connected', {
          itemIndex,
          description: 'Connect one to the retriever',
        });
      const topK = Math.max(1, Math.trunc(numberParameter(context, 'topK', itemIndex, 4)));
      const documents = await store.value.search({ text: query, topK }, signal);
      return documents.map(({ text, metadata }) => ({ text, metadata }));
    },
  }),
};
