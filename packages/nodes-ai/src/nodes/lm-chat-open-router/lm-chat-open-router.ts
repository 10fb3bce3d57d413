import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';
import { baseUrl } from '../../shared/model-list.ts';
import { reportedCost } from '../../shared/usage-in.ts';

/** https://openrouter.ai/docs/api-reference/overview */
export const lmChatOpenRouter = compatibleChatModel({
  name: 'lm-chat-open-router',
  service: 'OpenRouter',
  credential: 'openRouterApi',
  model: { fallback: 'openai/gpt-4.1-mini' },
  address: (data) => baseUrl(data, 'url', 'https://openrouter.ai/api/v1'),
  // https://openrouter.ai/docs/use-cases/usage-accounting
  costIn: reportedCost,
});
