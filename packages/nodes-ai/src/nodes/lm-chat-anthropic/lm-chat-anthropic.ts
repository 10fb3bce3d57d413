import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import {
  booleanParameter,
  choice,
  choices,
  number,
  numberParameter,
  stringOf,
  textParameter,
  toggle,
  when,
} from '@sluice/nodes-base/node-tools';
import type { ModelSettings } from '../../adapter/sdk-language-model.ts';
import { defineChatModel, type ModelUse } from '../../shared/define-chat-model.ts';
import { baseUrl } from '../../shared/model-list.ts';
import { chatOptions } from '../../shared/model-properties.ts';

/** Minimum number of thinking tokens that the API accepts. */
const minBudget = 1_024;

/** Versions with a switch for thinking, and versions with a choice of its mode. */
const first = [1, 1.1, 1.2, 1.3, 1.4];
const second = [1.5, 1.6, 1.7, 1.8];

/** https://docs.claude.com/en/api/messages */
export const lmChatAnthropic = defineChatModel({
  name: 'lm-chat-anthropic',
  service: 'Anthropic',
  version: [...first, ...second],
  credential: 'anthropicApi',
  model: { fallback: 'claude-sonnet-4-5' },
  options: chatOptions(
    ['maxTokensToSample', 'temperature', 'topK', 'topP'],
    [
      toggle(
        'thinking',
        'Enable Thinking',
        'Whether the model reasons before it answers; it then ignores the sampling options',
        when(first),
      ),
      choice(
        'thinkingMode',
        'Thinking Mode',
        choices(
          ['disabled', 'Disabled', 'The model does not reason, or as little as it can'],
          ['adaptive', 'Adaptive', 'The model decides how much to reason, by the effort'],
          ['manual', 'Manual', 'The model reasons within the budget; newer models do so as if adaptive'],
        ),
        { description: 'Without this option, the model reasons as it does by default', ...when(second) },
      ),
      choice(
        'effort',
        'Effort',
        choices(['low', 'Low'], ['medium', 'Medium'], ['high', 'High'], ['xhigh', 'Extra High'], ['max', 'Maximum']),
        { default: 'medium', ...when(second) },
      ),
      number('thinkingBudget', 'Thinking Budget (Tokens)', minBudget, 'Most tokens for reasoning; 1,024 or more'),
    ],
  ),
  list: {
    url: (data) => `${addressOf(data)}/models?limit=1000`,
    option: ({ id, display_name: name }) => (typeof id === 'string' ? { name: stringOf(name ?? id), value: id } : undefined),
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

function settings(use: ModelUse): Partial<ModelSettings> {
  const anthropic = thinkingOf(use);
  return { systemFirst: true, ...(anthropic && { providerOptions: { anthropic } }) };
}

/** Options of the provider; `undefined` if the node sets no option, so that the model decides. */
function thinkingOf({ context, itemIndex }: ModelUse): JsonObject | undefined {
  switch (modeOf(context, itemIndex)) {
    case 'disabled':
      return { thinking: { type: 'disabled' } };
    case 'adaptive':
      return { thinking: { type: 'adaptive' }, effort: textParameter(context, 'options.effort', itemIndex, 'medium') };
    case 'manual': {
      const budget = numberParameter(context, 'options.thinkingBudget', itemIndex, minBudget);
      return { thinking: { type: 'enabled', budgetTokens: Math.max(minBudget, budget) } };
    }
    default:
      return undefined;
  }
}

function modeOf(context: ExecuteContext, itemIndex: number): string {
  if (context.typeVersion >= 1.5) return textParameter(context, 'options.thinkingMode', itemIndex);
  return booleanParameter(context, 'options.thinking', itemIndex, false) ? 'manual' : '';
}
