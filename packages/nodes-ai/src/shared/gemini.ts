import type { JsonObject } from '@sluice/node-sdk';
import { baseUrl } from './model-list.ts';

/** Base URL of the Gemini API. */
export function geminiAddress(data: JsonObject): string {
  return `${baseUrl(data, 'host', 'https://generativelanguage.googleapis.com')}/v1beta`;
}
