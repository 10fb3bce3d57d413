import type { JsonObject, NodePropertyOption } from '@sluice/node-sdk';
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
