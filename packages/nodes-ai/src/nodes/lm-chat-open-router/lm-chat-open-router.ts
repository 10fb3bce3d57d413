import { isJsonObject, usageIn } from '@sluice/node-sdk';
import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';
import { baseUrl } from '../../shared/model-list.ts';

/** https://openrouter.ai/docs/api-reference/overview */
export const lmChatOpenRouter = compatibleChatModel({
  name: 'lm-chat-open-router',
  service: 'OpenRouter',
  credential: 'openRouterApi',
  model: { fallback: 'openai/gpt-4.1-mini' },
  address: (data) => baseUrl(data, 'url', 'https://openrouter.ai/api/v1'),
  // https://openrouter.ai/docs/use-cases/usage-accounting
  costIn: (raw) => (isJsonObject(raw) ? usageIn(raw).cost : undefined),
});
