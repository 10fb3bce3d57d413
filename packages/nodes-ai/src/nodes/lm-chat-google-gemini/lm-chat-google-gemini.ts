import { defineChatModel } from '../../shared/define-chat-model.ts';
import { geminiAddress, geminiOption, newerTextModel, safetySettings, safetySettingsOf } from '../../shared/gemini.ts';
import { chatOptions } from '../../shared/model-properties.ts';

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
  settings: (use) => {
    const settings = safetySettingsOf(use);
    return { systemFirst: true, ...(settings.length > 0 && { providerOptions: { google: { safetySettings: settings } } }) };
  },
});
