import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { isJsonObject, type JsonObject, type JsonValue, ModelError } from '@sluice/node-sdk';
import { postedJson } from './posted-json.ts';

interface VertexOptions {
  modelId: string;
  /** See `vertexAddress`. */
  address: string;
  fetch: typeof globalThis.fetch;
}

/**
 * A request may have 20,000 tokens: as many texts as a splitter makes with 1,000 tokens each. The
 * Gemini embedding models take one text.
 */
const textsPerRequest = 20;

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export function vertexEmbedding({ modelId, address, fetch: send }: VertexOptions): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'google.vertex',
    modelId,
    maxEmbeddingsPerCall: modelId.startsWith('gemini') ? 1 : textsPerRequest,
    supportsParallelCalls: false,
    doEmbed: async ({ values, abortSignal }) => {
      const url = `${address}/models/${encodeURIComponent(modelId)}:predict`;
      const answer = await postedJson(send, url, { instances: values.map((content) => ({ content })) }, abortSignal);
      const predictions = isJsonObject(answer) && Array.isArray(answer['predictions']) ? answer['predictions'] : [];
      const embeddings = predictions.map((prediction) => objectIn(prediction, 'embeddings'));
      const counts = embeddings.map((embedding) => Number(objectIn(embedding, 'statistics')['token_count'] ?? 0));
      return {
        embeddings: embeddings.map((embedding) => vectorIn(embedding['values'])),
        usage: { tokens: counts.reduce((sum, count) => sum + count, 0) },
        warnings: [],
      };
    },
  };
}

function objectIn(value: JsonValue, name: string): JsonObject {
  const member = isJsonObject(value) ? value[name] : undefined;
  return member !== undefined && isJsonObject(member) ? member : {};
}

function vectorIn(value: JsonValue | undefined): number[] {
  if (Array.isArray(value) && value.every((element) => typeof element === 'number')) return value;
  throw new ModelError('invalidResponse', 'the response has no vectors: choose an embedding model');
}
