import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { type JsonValue, ModelError } from '@sluice/node-sdk';
import { postedJson } from './posted-json.ts';

interface HuggingFaceOptions {
  modelId: string;
  url: string;
  fetch: typeof globalThis.fetch;
}

/**
 * An embedding model of https://huggingface.co/docs/inference-providers/tasks/feature-extraction
 */
export function huggingFaceModel({ modelId, url, fetch: send }: HuggingFaceOptions): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'huggingface',
    modelId,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: false,
    doEmbed: async ({ values, abortSignal }) => {
      const answer = await postedJson(send, url, { inputs: values }, abortSignal);
      if (areVectors(answer)) return { embeddings: answer, warnings: [] };
      throw new ModelError(
        'invalidResponse',
        'the response does not have a vector for each text: choose a sentence similarity model',
      );
    },
  };
}

function areVectors(value: JsonValue): value is number[][] {
  const isVector = (one: JsonValue) => Array.isArray(one) && one.every((element) => typeof element === 'number');
  return Array.isArray(value) && value.every(isVector);
}
