import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';

/** https://api-docs.deepseek.com/ */
export const lmChatDeepSeek = compatibleChatModel({
  name: 'lm-chat-deep-seek',
  service: 'DeepSeek',
  credential: 'deepSeekApi',
  model: { fallback: 'deepseek-chat' },
  address: () => 'https://api.deepseek.com',
});
