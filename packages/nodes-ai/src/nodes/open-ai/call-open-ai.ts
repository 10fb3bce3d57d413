import type { ExecuteContext, HttpResponse, JsonObject } from '@sluice/node-sdk';
import { baseUrl } from '../../shared/model-list.ts';
import { callForObject, callProvider, type ProviderCall } from '../../shared/provider-call.ts';

export const openAiCredential = 'openAiApi';
export const openAiAddress = (data: JsonObject) => baseUrl(data, 'url', 'https://api.openai.com/v1');

type OpenAiCall = Omit<ProviderCall, 'credential' | 'url'>;

/** Calls an API path, such as `/files`. https://platform.openai.com/docs/api-reference */
export async function callOpenAi(
  context: ExecuteContext,
  itemIndex: number,
  path: string,
  call: OpenAiCall,
): Promise<JsonObject> {
  return callForObject(context, itemIndex, await located(context, itemIndex, path, call));
}

/** Like `callOpenAi`, for responses that are files. */
export async function fetchOpenAi(
  context: ExecuteContext,
  itemIndex: number,
  path: string,
  call: OpenAiCall,
): Promise<HttpResponse> {
  return callProvider(context, itemIndex, await located(context, itemIndex, path, call));
}

async function located(context: ExecuteContext, itemIndex: number, path: string, call: OpenAiCall): Promise<ProviderCall> {
  const address = openAiAddress(await context.credentials(openAiCredential, itemIndex));
  return { ...call, credential: openAiCredential, url: `${address}${path}` };
}
