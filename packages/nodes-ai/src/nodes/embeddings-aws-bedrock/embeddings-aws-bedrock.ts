import type { NodeType } from '@sluice/node-sdk';
import { BedrockEmbedding } from '../../adapter/bedrock-embedding.ts';
import { bedrockAccess, foundationModels } from '../../shared/bedrock.ts';
import { modelIdOf, modelMethods, modelProperty } from '../../shared/model-list.ts';

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
export const embeddingsAwsBedrock: NodeType = {
  description: {
    displayName: 'Embeddings AWS Bedrock',
    name: 'embeddings-aws-bedrock',
    group: ['transform'],
    version: [1],
    description: 'Turns text into vectors with an Amazon Bedrock model',
    defaults: { name: 'Embeddings AWS Bedrock' },
    inputs: [],
    outputs: ['ai_embedding'],
    subNodes: [],
    credentials: [{ name: 'aws', required: true }],
    properties: [modelProperty('model', '', { description: 'A Titan or Cohere model: from the list, or by its ID or ARN' })],
    computesOnly: true,
    icon: 'fa:vector-square',
  },
  methods: modelMethods(foundationModels('EMBEDDING')),
  supply: async (context, itemIndex) => {
    const modelId = modelIdOf(context, itemIndex, 'model', '');
    return new BedrockEmbedding({ ...(await bedrockAccess(context, itemIndex, modelId)), maxRetries: 2 });
  },
};
