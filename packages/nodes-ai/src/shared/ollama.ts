import type { JsonObject } from '@sluice/node-sdk';
import type { ModelUse } from './define-chat-model.ts';
import { baseUrl, type ModelList } from './model-list.ts';

type Fetch = typeof globalThis.fetch;

export function ollamaAddress(data: JsonObject): string {
  return baseUrl(data, 'baseUrl', 'http://localhost:11434');
}

/** https://docs.ollama.com/api/tags */
export const ollamaModels: Omit<ModelList, 'credential'> = {
  url: (data) => `${ollamaAddress(data)}/api/tags`,
  member: 'models',
  option: ({ name }) => (typeof name === 'string' ? { name, value: name } : undefined),
};

/** Options for the OpenAI library. No key is sent to a server without a key. */
export function ollamaOptions({ data, provider }: ModelUse): { baseURL: string; apiKey: string; fetch: Fetch } {
  const send = provider.fetch;
  return {
    baseURL: `${ollamaAddress(data)}/v1`,
    apiKey: provider.apiKey,
    fetch: (input, init = {}) => {
      const headers = new Headers(init.headers);
      headers.delete('authorization');
      return send(input, { ...init, headers });
    },
  };
}
