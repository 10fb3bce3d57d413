import { defineChatModel } from '../../shared/define-chat-model.ts';
import { chatOptions } from '../../shared/model-properties.ts';
import { openAiAddress } from '../open-ai/call-open-ai.ts';

/** Models that only complete text. Other models answer messages. */
const completing = /instruct|davinci|babbage|curie/;

/** https://platform.openai.com/docs/api-reference/completions */
export const lmOpenAi = defineChatModel({
  name: 'lm-open-ai',
  service: 'OpenAI',
  displayName: 'OpenAI Model',
  credential: 'openAiApi',
  model: { fallback: 'gpt-3.5-turbo-instruct' },
  options: chatOptions(),
  list: { url: (data) => `${openAiAddress(data)}/models` },
  open: async ({ modelId, data, provider }) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const models = createOpenAI({ ...provider, baseURL: openAiAddress(data) });
    return completing.test(modelId) ? models.completion(modelId) : models.chat(modelId);
  },
});
