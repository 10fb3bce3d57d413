import { choice, choices, list, listParameter } from '@sluice/nodes-base/node-tools';
import { defineChatModel } from '../../shared/define-chat-model.ts';
import { geminiAddress, geminiOption, newerTextModel } from '../../shared/gemini.ts';
import { chatOptions } from '../../shared/model-properties.ts';

const safetySettings = list('safetySettings', 'Safety Settings', 'values', [
  choice(
    'category',
    'Safety Category',
    choices(
      ['HARM_CATEGORY_HARASSMENT', 'Harassment'],
      ['HARM_CATEGORY_HATE_SPEECH', 'Hate Speech'],
      ['HARM_CATEGORY_SEXUALLY_EXPLICIT', 'Sexually Explicit'],
      ['HARM_CATEGORY_DANGEROUS_CONTENT', 'Dangerous Content'],
      ['HARM_CATEGORY_CIVIC_INTEGRITY', 'Civic Integrity'],
    ),
  ),
  choice(
    'threshold',
    'Safety Threshold',
    choices(
      ['HARM_BLOCK_THRESHOLD_UNSPECIFIED', 'Default of the Model'],
      ['BLOCK_LOW_AND_ABOVE', 'Block From Low'],
      ['BLOCK_MEDIUM_AND_ABOVE', 'Block From Medium'],
      ['BLOCK_ONLY_HIGH', 'Block High'],
      ['BLOCK_NONE', 'Block None'],
    ),
  ),
]);

/** https://ai.google.dev/api/generate-content */
export const lmChatGoogleGemini = defineChatModel({
  name: 'lm-chat-google-gemini',
  service: 'Google Gemini',
  version: [1, 1.1, 1.2],
  credential: 'googlePalmApi',
  model: { name: 'modelName', fallback: (version) => (version < 1.1 ? 'models/gemini-2.5-flash' : newerTextModel) },
  options: chatOptions(['maxOutputTokens', 'temperature', 'topK', 'topP'], [safetySettings]),
  list: {
    url: (data) => `${geminiAddress(data)}/models?pageSize=1000`,
    member: 'models',
    option: (model) => geminiOption(model, 'generateContent'),
  },
  open: async ({ modelId, data, provider }) => {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ ...provider, baseURL: geminiAddress(data) })(modelId);
  },
  settings: ({ context, itemIndex }) => {
    const settings = listParameter(context, 'options.safetySettings.values', itemIndex).map(
      ({ category = 'HARM_CATEGORY_HARASSMENT', threshold = 'HARM_BLOCK_THRESHOLD_UNSPECIFIED' }) => ({ category, threshold }),
    );
    return { systemFirst: true, ...(settings.length > 0 && { providerOptions: { google: { safetySettings: settings } } }) };
  },
});
