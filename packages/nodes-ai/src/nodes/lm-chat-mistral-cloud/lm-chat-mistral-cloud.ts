import { booleanParameter, toggle } from '@sluice/nodes-base/node-tools';
import { defineChatModel } from '../../shared/define-chat-model.ts';
import { chatOptions } from '../../shared/model-properties.ts';

/** https://docs.mistral.ai/api/ */
export const lmChatMistralCloud = defineChatModel({
  name: 'lm-chat-mistral-cloud',
  service: 'Mistral Cloud',
  credential: 'mistralCloudApi',
  model: { fallback: 'mistral-small-latest' },
  options: chatOptions(
    ['maxTokens', 'temperature', 'topP', 'randomSeed'],
    [toggle('safeMode', 'Safe Mode', 'Whether the provider adds a prompt for safety')],
  ),
  list: { url: () => 'https://api.mistral.ai/v1/models' },
  open: async ({ modelId, provider }) => {
    const { createMistral } = await import('@ai-sdk/mistral');
    return createMistral(provider)(modelId);
  },
  settings: ({ context, itemIndex }) => ({
    providerOptions: { mistral: { safePrompt: booleanParameter(context, 'options.safeMode', itemIndex, false) } },
  }),
});
