import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';
import { baseUrl } from '../../shared/model-list.ts';

/** https://docs.x.ai/docs/api-reference */
export const lmChatXAiGrok = compatibleChatModel({
  name: 'lm-chat-x-ai-grok',
  service: 'xAI Grok',
  credential: 'xAiApi',
  model: { fallback: 'grok-4' },
  address: (data) => baseUrl(data, 'url', 'https://api.x.ai/v1'),
});
