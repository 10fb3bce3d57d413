import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { type JsonValue, ModelError, parseJson, stringifyJson } from '@sluice/node-sdk';
import { errorIn, statusError } from './status-error.ts';

interface HuggingFaceOptions {
  modelId: string;
  url: string;
  fetch: typeof globalThis.fetch;
}

/** An embedding model of https://huggingface.co/docs/inference-providers/tasks/feature-extraction */
export function huggingFaceModel({ modelId, url, fetch: send }: HuggingFaceOptions): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'huggingface',
    modelId,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: false,
    doEmbed: async ({ values, abortSignal }) => {
      const response = await send(url, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: await stringifyJson({ inputs: values }),
        ...(abortSignal && { signal: abortSignal }),
      });
      const answer = await jsonOf(response);
      if (!response.ok) {
        const { status, headers } = response;
        throw statusError(
          { status, headers: Object.fromEntries(headers), error: errorIn(answer), message: 'no message' },
          undefined,
        );
      }
      if (areVectors(answer)) return { embeddings: answer, warnings: [] };
      throw new ModelError(
        'invalidResponse',
        'the response does not have a vector for each text: choose a sentence similarity model',
      );
    },
  };
}

async function jsonOf(response: Response): Promise<JsonValue> {
  try {
    return (await parseJson(await response.text())) as JsonValue;
  } catch (cause) {
    if (!response.ok) return null;
    throw cause;
  }
}

function areVectors(value: JsonValue): value is number[][] {
  const isVector = (one: JsonValue) => Array.isArray(one) && one.every((element) => typeof element === 'number');
  return Array.isArray(value) && value.every(isVector);
}
