import { azureOptions } from '../../shared/azure-open-ai.ts';
import { defineChatModel } from '../../shared/define-chat-model.ts';
import { chatOptions } from '../../shared/model-properties.ts';

/** A model is the name of a deployment. */
export const lmChatAzureOpenAi = defineChatModel({
  name: 'lm-chat-azure-open-ai',
  service: 'Azure OpenAI',
  credential: 'azureOpenAiApi',
  model: { fallback: '' },
  options: chatOptions(['temperature', 'maxTokens', 'topP', 'frequencyPenalty', 'presencePenalty', 'responseFormat']),
  open: async ({ modelId, data, provider }) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ ...provider, ...azureOptions(data, modelId, provider.fetch), name: 'azure' }).chat(modelId);
  },
});
