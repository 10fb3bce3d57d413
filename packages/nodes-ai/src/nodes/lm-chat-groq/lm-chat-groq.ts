import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';
import { chatOptions } from '../../shared/model-properties.ts';

/** https://console.groq.com/docs/openai */
export const lmChatGroq = compatibleChatModel({
  name: 'lm-chat-groq',
  service: 'Groq',
  credential: 'groqApi',
  model: { fallback: 'llama-3.3-70b-versatile' },
  options: chatOptions(['maxTokensToSample', 'temperature']),
  address: () => 'https://api.groq.com/openai/v1',
});
