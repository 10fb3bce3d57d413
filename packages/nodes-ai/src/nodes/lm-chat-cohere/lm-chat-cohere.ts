import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';
import { chatOptions } from '../../shared/model-properties.ts';

/** https://docs.cohere.com/docs/compatibility-api */
export const lmChatCohere = compatibleChatModel({
  name: 'lm-chat-cohere',
  service: 'Cohere',
  credential: 'cohereApi',
  model: { fallback: 'command-a-03-2025' },
  options: chatOptions(['temperature', 'maxTokens']),
  address: () => 'https://api.cohere.ai/compatibility/v1',
  list: {
    url: () => 'https://api.cohere.com/v1/models?page_size=100&endpoint=chat',
    member: 'models',
    option: ({ name }) => (typeof name === 'string' ? { name, value: name } : undefined),
  },
});
