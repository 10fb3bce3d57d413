import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';
import { baseUrl } from '../../shared/model-list.ts';

/** https://vercel.com/docs/ai-gateway/openai-compat */
export const lmChatVercelAiGateway = compatibleChatModel({
  name: 'lm-chat-vercel-ai-gateway',
  service: 'Vercel AI Gateway',
  credential: 'vercelAiGatewayApi',
  model: { fallback: 'openai/gpt-4o' },
  address: (data) => baseUrl(data, 'url', 'https://ai-gateway.vercel.sh/v1'),
});
