import type { JsonObject, JsonValue, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, list, listParameter } from '@sluice/nodes-base/node-tools';
import type { ModelUse } from './define-chat-model.ts';
import { baseUrl } from './model-list.ts';

/** Default model of newer node versions. */
export const newerTextModel = 'models/gemini-3-flash-preview';

/** Base URL of the Gemini API. */
export function geminiAddress(data: JsonObject): string {
  return `${baseUrl(data, 'host', 'https://generativelanguage.googleapis.com')}/v1beta`;
}

/** A model in the list, if it supports a method. */
export function geminiOption(model: JsonObject, method: string): NodePropertyOption | undefined {
  const { name, description, supportedGenerationMethods: methods } = model;
  if (typeof name !== 'string' || !Array.isArray(methods) || !methods.includes(method)) return undefined;
  return { name, value: name, ...(typeof description === 'string' && { description }) };
}

/** Option of the chat models. */
export const safetySettings = list('safetySettings', 'Safety Settings', 'values', [
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

export function safetySettingsOf({ context, itemIndex }: ModelUse): Record<'category' | 'threshold', JsonValue>[] {
  return listParameter(context, 'options.safetySettings.values', itemIndex).map(
    ({ category = 'HARM_CATEGORY_HARASSMENT', threshold = 'HARM_BLOCK_THRESHOLD_UNSPECIFIED' }) => ({ category, threshold }),
  );
}
