import { booleanParameter, number, numberParameter, toggle } from '@sluice/nodes-base/node-tools';
import type { ModelSettings } from '../../adapter/sdk-language-model.ts';
import { defineChatModel, type ModelUse } from '../../shared/define-chat-model.ts';
import { baseUrl } from '../../shared/model-list.ts';
import { chatOptions } from '../../shared/model-properties.ts';

/** Fewest tokens that the API accepts for thinking. */
const minBudget = 1_024;

/** https://docs.claude.com/en/api/messages */
export const lmChatAnthropic = defineChatModel({
  name: 'lm-chat-anthropic',
  service: 'Anthropic',
  version: [1, 1.1, 1.2, 1.3],
  credential: 'anthropicApi',
  model: { fallback: 'claude-sonnet-4-5' },
  options: chatOptions(
    ['maxTokensToSample', 'temperature', 'topK', 'topP'],
    [
      toggle(
        'thinking',
        'Enable Thinking',
        'Whether the model reasons before it answers; it then ignores the sampling options',
      ),
      number('thinkingBudget', 'Thinking Budget (Tokens)', minBudget, 'Most tokens for reasoning; 1,024 or more'),
    ],
  ),
  list: {
    url: (data) => `${addressOf(data)}/models?limit=1000`,
    option: ({ id, display_name: name }) => (typeof id === 'string' ? { name: String(name ?? id), value: id } : undefined),
  },
  open: async ({ modelId, data, provider }) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ ...provider, baseURL: addressOf(data) })(modelId);
  },
  settings,
});

function addressOf(data: ModelUse['data']): string {
  return `${baseUrl(data, 'url', 'https://api.anthropic.com')}/v1`;
}

function settings({ context, itemIndex }: ModelUse): Partial<ModelSettings> {
  if (!booleanParameter(context, 'options.thinking', itemIndex, false)) return { systemFirst: true };
  const budget = numberParameter(context, 'options.thinkingBudget', itemIndex, minBudget);
  return {
    systemFirst: true,
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: Math.max(minBudget, budget) } } },
  };
}
