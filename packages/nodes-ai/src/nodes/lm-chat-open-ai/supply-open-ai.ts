import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ExecuteContext, LanguageModel } from '@sluice/node-sdk';
import { booleanParameter, objectParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { SdkLanguageModel } from '../../adapter/sdk-language-model.ts';
import { accessOf } from '../../shared/define-chat-model.ts';
import { baseUrl, modelIdOf } from '../../shared/model-list.ts';
import { chatSettings } from '../../shared/model-properties.ts';
import { builtInTools } from './built-in-tools.ts';

export const publicAddress = 'https://api.openai.com/v1';

export async function supplyOpenAi(context: ExecuteContext, itemIndex: number): Promise<LanguageModel> {
  const { createOpenAI } = await import('@ai-sdk/openai');
  const { provider: access, data } = await accessOf(context, itemIndex, 'openAiApi');
  const baseURL = textParameter(context, 'options.baseURL', itemIndex) || baseUrl(data, 'url', publicAddress);
  const provider = createOpenAI({ ...access, baseURL });
  const id = modelIdOf(context, itemIndex, 'model', 'gpt-4o-mini');
  const usesResponses = context.typeVersion >= 1.3 && booleanParameter(context, 'responsesApiEnabled', itemIndex, true);
  return new SdkLanguageModel(usesResponses ? provider.responses(id) : provider.chat(id), {
    ...chatSettings(context, itemIndex),
    providerOptions: providerOptions(context, itemIndex, usesResponses),
    ...(usesResponses && { providerTools: builtInTools(context, itemIndex) }),
  });
}

const responsesOptions: Readonly<Record<string, string>> = {
  conversationId: 'conversation',
  promptCacheKey: 'promptCacheKey',
  safetyIdentifier: 'safetyIdentifier',
  serviceTier: 'serviceTier',
};

/**
 * Options that only OpenAI supports. OpenAI stores responses only if they belong to a conversation.
 */
function providerOptions(context: ExecuteContext, itemIndex: number, usesResponses: boolean): SharedV4ProviderOptions {
  const openai: SharedV4ProviderOptions[string] = {};
  const effort = textParameter(context, 'options.reasoningEffort', itemIndex);
  if (effort !== '') openai['reasoningEffort'] = effort;
  if (!usesResponses) return { openai };
  for (const [name, option] of Object.entries(responsesOptions)) {
    const value = textParameter(context, `options.${name}`, itemIndex);
    if (value !== '') openai[option] = value;
  }
  const metadata = context.parameter('options.metadata', itemIndex) ?? '';
  if (metadata !== '') openai['metadata'] = objectParameter(context, 'options.metadata', itemIndex);
  if (!('conversation' in openai)) openai['store'] = false;
  return { openai };
}
