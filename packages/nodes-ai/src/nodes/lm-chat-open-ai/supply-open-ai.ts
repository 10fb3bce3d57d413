import { createOpenAI } from '@ai-sdk/openai';
import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import {
  type ExecuteContext,
  isJsonObject,
  type JsonValue,
  type LanguageModel,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { guardedFetch } from '../../adapter/guarded-fetch.ts';
import { SdkLanguageModel } from '../../adapter/sdk-language-model.ts';
import { chatSettings, timeoutOf } from '../../shared/model-properties.ts';

const publicAddress = 'https://api.openai.com/v1';

export async function supplyOpenAi(context: ExecuteContext, itemIndex: number): Promise<LanguageModel> {
  const provider = createOpenAI({
    baseURL: await addressOf(context, itemIndex),
    // The guarded client replaces it with the key of the credential.
    apiKey: 'of-the-credential',
    fetch: guardedFetch({
      http: context.http,
      authentication: await context.authentication('openAiApi', itemIndex),
      timeoutMs: timeoutOf(context, itemIndex),
      signal: context.signal,
    }),
  });
  const id = modelId(context, itemIndex);
  const usesResponses = context.typeVersion >= 1.3 && booleanParameter(context, 'responsesApiEnabled', itemIndex, true);
  const isJson = textParameter(context, 'options.responseFormat', itemIndex, 'text') === 'json_object';
  return new SdkLanguageModel(usesResponses ? provider.responses(id) : provider.chat(id), {
    ...chatSettings(context, itemIndex),
    ...(isJson && { responseFormat: { type: 'json' } }),
    providerOptions: providerOptions(context, itemIndex, usesResponses),
  });
}

async function addressOf(context: ExecuteContext, itemIndex: number): Promise<string> {
  const own = textParameter(context, 'options.baseURL', itemIndex);
  if (own !== '') return own;
  const url = ownProperty(await context.credentials('openAiApi', itemIndex), 'url');
  return typeof url === 'string' && url !== '' ? url : publicAddress;
}

/** The ID of the model, plain or in a resource locator. */
function modelId(context: ExecuteContext, itemIndex: number): string {
  const model = context.parameter<JsonValue>('model', itemIndex, 'gpt-4o-mini');
  const id = isJsonObject(model) ? ownProperty(model, 'value') : model;
  if (typeof id === 'string' && id !== '') return id;
  throw new NodeOperationError('no model is chosen', { itemIndex, description: 'Choose a model, or write its ID' });
}

const responsesOptions: Readonly<Record<string, string>> = {
  conversationId: 'conversation',
  promptCacheKey: 'promptCacheKey',
  safetyIdentifier: 'safetyIdentifier',
  serviceTier: 'serviceTier',
};

/** Options that only OpenAI has. Answers are not stored there, unless they belong to a conversation. */
function providerOptions(context: ExecuteContext, itemIndex: number, usesResponses: boolean): SharedV4ProviderOptions {
  const openai: Record<string, string | boolean> = {};
  const effort = textParameter(context, 'options.reasoningEffort', itemIndex);
  if (effort !== '') openai['reasoningEffort'] = effort;
  if (!usesResponses) return { openai };
  for (const [name, option] of Object.entries(responsesOptions)) {
    const value = textParameter(context, `options.${name}`, itemIndex);
    if (value !== '') openai[option] = value;
  }
  if (!('conversation' in openai)) openai['store'] = false;
  return { openai };
}
