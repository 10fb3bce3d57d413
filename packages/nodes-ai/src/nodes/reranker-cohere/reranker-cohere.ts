import { type FoundDocument, isJsonObject, type NodeType, type Reranker } from '@sluice/node-sdk';
import { number, numberParameter } from '@sluice/nodes-base/node-tools';
import { modelIdOf, modelMethods, modelProperty } from '../../shared/model-list.ts';
import { callService } from '../../shared/service-call.ts';

const fallback = 'rerank-v3.5';

/** https://docs.cohere.com/reference/rerank */
export const rerankerCohere: NodeType = {
  description: {
    displayName: 'Reranker Cohere',
    name: 'reranker-cohere',
    group: ['transform'],
    version: [1],
    description: 'Sorts documents by relevance to a question, with a Cohere model',
    defaults: { name: 'Reranker Cohere' },
    inputs: [],
    outputs: ['ai_reranker'],
    subNodes: [],
    credentials: [{ name: 'cohereApi', required: true }],
    properties: [modelProperty('modelName', fallback), number('topN', 'Top N', 3, 'Most documents that are kept')],
    computesOnly: true,
    icon: 'fa:sort-amount-down',
  },
  methods: modelMethods({
    credential: 'cohereApi',
    url: () => 'https://api.cohere.com/v1/models?page_size=100&endpoint=rerank',
    member: 'models',
    option: ({ name }) => (typeof name === 'string' ? { name, value: name } : undefined),
  }),
  supply: (context, itemIndex): Reranker => {
    const modelId = modelIdOf(context, itemIndex, 'modelName', fallback);
    const topN = Math.max(1, Math.trunc(numberParameter(context, 'topN', itemIndex, 3)));
    return {
      modelId,
      rerank: async ({ query, documents, topK = topN }) => {
        if (documents.length === 0) return [];
        const json = {
          model: modelId,
          query,
          documents: documents.map(({ text }) => text),
          top_n: Math.min(topK, documents.length),
        };
        const url = 'https://api.cohere.com/v2/rerank';
        const body = await callService(context, itemIndex, { service: 'Cohere', credential: 'cohereApi', url, json });
        const results = isJsonObject(body) && Array.isArray(body['results']) ? body['results'] : [];
        return results.filter(isJsonObject).flatMap(({ index, relevance_score: score }): FoundDocument[] => {
          const document = documents[Number(index)];
          return document ? [{ text: document.text, metadata: document.metadata, score: Number(score) }] : [];
        });
      },
    };
  },
};
