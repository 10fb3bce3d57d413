import type { JsonValue } from '@sluice/node-sdk';
import { number, numberParameter } from '@sluice/nodes-base/node-tools';
import { defineChatModel } from '../../shared/define-chat-model.ts';
import { safetySettings, safetySettingsOf } from '../../shared/gemini.ts';
import { inGoogleProject, vertexAddress, vertexCredential, vertexModels } from '../../shared/google-vertex.ts';
import { chatOptions } from '../../shared/model-properties.ts';

const thinkingBudget = number(
  'thinkingBudget',
  'Thinking Budget',
  -1,
  'Most tokens for thoughts; 0: none, -1: as many as the model needs',
);

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const lmChatGoogleVertex = inGoogleProject(
  defineChatModel({
    name: 'lm-chat-google-vertex',
    service: 'Google Vertex',
    credential: vertexCredential,
    model: { name: 'modelName', fallback: 'gemini-2.5-flash' },
    options: chatOptions(['maxOutputTokens', 'temperature', 'topK', 'topP'], [thinkingBudget, safetySettings]),
    list: vertexModels('gemini'),
    open: async ({ context, itemIndex, modelId, data, provider }) => {
      const { createGoogle } = await import('@ai-sdk/google');
      const baseURL = vertexAddress(context, itemIndex, data);
      // The name makes the library write requests for Vertex AI, whose key is the token in the
      // credential.
      const headers = { 'x-goog-api-key': undefined };
      return createGoogle({ ...provider, name: 'google.vertex.chat', baseURL, headers })(modelId);
    },
    settings: (use) => {
      const { context, itemIndex } = use;
      const budget = context.parameter<JsonValue>('options.thinkingBudget', itemIndex) ?? undefined;
      const safety = safetySettingsOf(use);
      const own = {
        ...(safety.length > 0 && { safetySettings: safety }),
        ...(budget !== undefined && {
          thinkingConfig: { thinkingBudget: numberParameter(context, 'options.thinkingBudget', itemIndex, -1) },
        }),
      };
      return { systemFirst: true, ...(Object.keys(own).length > 0 && { providerOptions: { googleVertex: own } }) };
    },
  }),
);
