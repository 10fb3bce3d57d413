import { type ExecuteContext, isJsonObject, type JsonObject, ModelError, NodeOperationError } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';
import { geminiAddress } from '../../shared/gemini.ts';
import { modelIdOf } from '../../shared/model-list.ts';
import { callForObject } from '../../shared/provider-call.ts';

export const geminiCredential = 'googlePalmApi';

/** Model that generates images if version 1.2 of the node does not name a model. */
export const newerImageModel = 'models/gemini-3.1-flash-image-preview';

/** The resource name of the model that a node names. */
export function geminiModel(context: ExecuteContext, itemIndex: number, fallback: string): string {
  const id = modelIdOf(context, itemIndex, 'modelId', fallback);
  const name = id.includes('/') ? id : `models/${id}`;
  if (/^(?:models|tunedModels)\/[\w.-]+$/.test(name)) return name;
  throw new NodeOperationError(`"${id.slice(0, 100)}" is not a model name`, {
    itemIndex,
    description: 'Write it as models/gemini-2.5-flash',
  });
}

/** Calls a method of a model. `recorded`: see `ProviderCall`. https://ai.google.dev/api */
export async function callGemini(
  context: ExecuteContext,
  itemIndex: number,
  model: string,
  method: 'generateContent' | 'predict' | 'predictLongRunning',
  json: JsonObject,
  recorded = false,
): Promise<JsonObject> {
  const address = geminiAddress(await context.credentials(geminiCredential, itemIndex));
  const url = `${address}/${model}:${method}`;
  return callForObject(context, itemIndex, { credential: geminiCredential, model, url, json, recorded });
}

/** Maximum number of candidates and parts that are read. */
const maxListLength = 10_000;
const filtered = new Set(['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'IMAGE_SAFETY', 'RECITATION']);

/** The candidates of a response. Throws if a filter stopped it. */
export function candidatesOf({ candidates, promptFeedback }: JsonObject): JsonObject[] {
  const list = Array.isArray(candidates) ? candidates.slice(0, maxListLength).filter((one) => isJsonObject(one)) : [];
  const reason = isJsonObject(promptFeedback) ? promptFeedback['blockReason'] : list[0]?.['finishReason'];
  const isBlocked = list.length === 0 && reason !== undefined;
  if (isBlocked || (filtered.has(stringOf(reason)) && partsOf(list[0]).length === 0))
    throw new ModelError('refused', `the model refused to answer: ${stringOf(reason).slice(0, 100)}`);
  if (list.length === 0) throw new ModelError('invalidResponse', 'the provider response has no candidates');
  return list;
}

export function partsOf(candidate: JsonObject | undefined): JsonObject[] {
  const content = candidate?.['content'];
  const parts = isJsonObject(content) ? content['parts'] : undefined;
  return Array.isArray(parts) ? parts.slice(0, maxListLength).filter((part) => isJsonObject(part)) : [];
}
