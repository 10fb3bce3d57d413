import type { JsonObject } from '@sluice/domain';
import type { ApiServer } from '@sluice/nodes-services/testing';

/** Method and URL of a request, and its body as parsed JSON or text. */
export type SentRequest = readonly [request: string, body?: unknown];

/** Requests that a server has received. */
export function requestsOf({ received }: ApiServer): SentRequest[] {
  return received.map(({ method, url, body, headers }): SentRequest => {
    const text = body.toString();
    const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
    return text === '' ? [`${method} ${url}`] : [`${method} ${url}`, isJson ? JSON.parse(text) : text];
  });
}

/** Data of an OAuth2 credential whose account is connected. */
export function connected(accessToken: string, more: JsonObject = {}): JsonObject {
  return { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: accessToken }, ...more };
}
