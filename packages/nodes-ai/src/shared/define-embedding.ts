import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { booleanParameter, number, numberParameter, options, toggle } from '@sluice/nodes-base/node-tools';
import { KeptVectors } from '../adapter/kept-vectors.ts';
import { type EmbeddingSettings, SdkEmbedding } from '../adapter/sdk-embedding.ts';
import { accessOf, type ChatModelSource, type ModelUse } from './define-chat-model.ts';
import { defaultModel, type ModelParameter, modelIdOf, modelMethods, modelProperties } from './model-list.ts';

interface EmbeddingSource extends Pick<ChatModelSource, 'credential' | 'list' | 'name' | 'service' | 'version'> {
  model: ModelParameter;
  options?: readonly NodeProperty[];
  open(use: ModelUse): Promise<EmbeddingModelV4>;
  settings?(use: ModelUse): Partial<EmbeddingSettings>;
}

/** Options of embeddings with the OpenAI API. */
export const embeddingOptions = {
  dimensions: number('dimensions', 'Dimensions', 1_536, 'Length of the vectors; only newer models can shorten them'),
  batchSize: number('batchSize', 'Batch Size', 512, 'Maximum number of texts per request'),
  stripNewLines: toggle('stripNewLines', 'Strip New Lines', 'Whether line breaks become spaces', { default: true }),
  timeout: number('timeout', 'Timeout', 60_000, 'Milliseconds until a whole response has arrived'),
};

/** A node type that supplies an embedding. */
export function defineEmbedding(source: EmbeddingSource): NodeType {
  const { name, service, credential, model, list, version = [1], options: members = [] } = source;
  const parameter = model.name ?? 'model';
  return {
    description: {
      displayName: `Embeddings ${service}`,
      name,
      group: ['transform'],
      version: [...version],
      description: `Turns text into vectors with a model from ${service}`,
      defaults: { name: `Embeddings ${service}` },
      inputs: [],
      outputs: ['ai_embedding'],
      subNodes: [],
      credentials: [{ name: credential, required: true }],
      properties: [...modelProperties(model, version, list !== undefined), ...(members.length > 0 ? [options(members)] : [])],
      computesOnly: true,
      icon: 'fa:vector-square',
    },
    ...(list && { methods: modelMethods({ ...list, credential }) }),
    supply: async (context, itemIndex) => {
      const modelId = modelIdOf(context, itemIndex, parameter, defaultModel(model, context.typeVersion));
      const keptVectors = new KeptVectors();
      const access = await accessOf(context, itemIndex, credential, (fetch) => keptVectors.around(fetch));
      const use = { context, itemIndex, modelId, ...access };
      return new SdkEmbedding(await source.open(use), keptVectors, {
        maxRetries: 2,
        batchSize: Math.max(1, Math.trunc(numberParameter(context, 'options.batchSize', itemIndex, 512))),
        ...source.settings?.(use),
      });
    },
  };
}

/** Settings for the OpenAI library from the options `dimensions` and `stripNewLines`. */
export function openAiEmbeddingSettings({ context, itemIndex }: ModelUse): Partial<EmbeddingSettings> {
  const dimensions = numberParameter(context, 'options.dimensions', itemIndex, 0);
  return {
    stripNewLines: booleanParameter(context, 'options.stripNewLines', itemIndex, true),
    ...(dimensions > 0 && { providerOptions: { openai: { dimensions } } }),
  };
}
