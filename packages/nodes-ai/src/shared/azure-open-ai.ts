import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { baseUrl } from './model-list.ts';

type Fetch = typeof globalThis.fetch;

/**
 * Options for the OpenAI library that make it call an Azure OpenAI deployment.
 * https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
export function azureOptions(data: JsonObject, deployment: string, send: Fetch): { baseURL: string; fetch: Fetch } {
  const endpoint = baseUrl(data, 'endpoint') || `https://${optionalCredentialText(data, 'resourceName')}.openai.azure.com`;
  const version = optionalCredentialText(data, 'apiVersion', '2025-03-01-preview');
  return {
    baseURL: `${endpoint}/openai/deployments/${encodeURIComponent(deployment)}`,
    fetch: (input, init = {}) => {
      const url = new URL(input.toString());
      url.searchParams.set('api-version', version);
      const headers = new Headers(init.headers);
      // Azure expects the key in `api-key`, which the credential sets.
      headers.delete('authorization');
      return send(url.href, { ...init, headers });
    },
  };
}
