import type { JsonObject, NodeType } from '@sluice/node-sdk';
import type { ModelSettings } from '../adapter/sdk-language-model.ts';
import { type ChatModelSource, defineChatModel } from './define-chat-model.ts';
import { chatOptions } from './model-properties.ts';

type Usual = 'list' | 'open' | 'options' | 'settings';

interface CompatibleSource extends Omit<ChatModelSource, Usual>, Partial<Pick<ChatModelSource, 'list' | 'options'>> {
  /**
   * Base URL of the Chat Completions API. Its model list is `/models` below it, unless `list`
   * overrides it.
   */
  address(data: JsonObject): string;
  /** See `ModelSettings`. */
  costIn?: NonNullable<ModelSettings['costIn']>;
}

/** A chat model of a service with the OpenAI Chat Completions API. */
export function compatibleChatModel({ address, costIn, ...source }: CompatibleSource): NodeType {
  return defineChatModel({
    options: chatOptions(['temperature', 'maxTokens', 'topP', 'frequencyPenalty', 'presencePenalty', 'responseFormat']),
    list: { url: (data) => `${address(data)}/models` },
    open: async ({ modelId, data, provider }) => {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ ...provider, name: source.service, baseURL: address(data) }).chat(modelId);
    },
    // The library adapts requests to OpenAI models by name, and other services use the same names.
    settings: () => ({
      providerOptions: { openai: { forceReasoning: false, systemMessageMode: 'system' } },
      ...(costIn && { costIn }),
    }),
    ...source,
  });
}
