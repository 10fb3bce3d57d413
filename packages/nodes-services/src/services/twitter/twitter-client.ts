import { headerText, isJsonObject, type JsonValue } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * https://docs.x.com/x-api: version 1 of the node signs requests with OAuth 1, version 2 uses an
 * OAuth 2 token.
 */
export const twitterClient = new ApiClient({
  service: 'X',
  credentialType: ({ typeVersion }) => (typeVersion === 1 ? 'twitterOAuth1Api' : 'twitterOAuth2Api'),
  baseUrl: 'https://api.x.com/2',
  refusalOf({ status, headers, body }) {
    const { title, detail, errors } = objectOf(body);
    const [first] = objectsOf(errors);
    const messages = [title, detail ?? first?.['message'] ?? first?.['detail']].filter((one) => typeof one === 'string');
    const resetAt = Number(headerText(headers, 'x-rate-limit-reset')) * 1_000;
    return {
      ...(messages.length > 0 && { text: [...new Set(messages)].join(': ') }),
      ...(status === 429 && resetAt > 0 && { retryAfterMs: Math.max(0, resetAt - Date.now()) }),
    };
  },
});

/** The member `data` of a response. */
export async function dataOf(response: Promise<JsonValue | undefined>): Promise<JsonValue | undefined> {
  const body = await response;
  return isJsonObject(body) ? (body['data'] ?? body) : body;
}

/** Matches URLs of a post, a list, and a profile. */
const tweetUrl = /(?:x|twitter)\.com\/\w+\/status(?:es)?\/(\d+)/;
const listUrl = /(?:x|twitter)\.com\/i\/lists\/(\d+)/;
const profileUrl = /(?:x|twitter)\.com\/(\w+)/;

export const tweetProperty = (name: string) => text(name, 'Tweet', 'The post: by ID or by URL', { required: true });
export const userProperty = text('user', 'User', 'The user: by name, or by ID', { required: true });
export const tweetOf = (item: ServiceItem, path: string): string => item.id(path, tweetUrl);
export const listOf = (item: ServiceItem): string => item.id('list', listUrl);

/** ID of the connected user. */
export async function ownId(item: ServiceItem): Promise<string> {
  return idIn(await dataOf(item.send({ path: '/users/me' })));
}

/** ID of the user in the parameters; a name is looked up. */
export async function userIdOf(item: ServiceItem): Promise<string> {
  const named = item.id('user', profileUrl);
  return item.mode('user') === 'id' && /^\d+$/.test(named) ? named : idIn(await userOf(item));
}

export function userOf(item: ServiceItem): Promise<JsonValue | undefined> {
  const named = encodeURIComponent(item.id('user', profileUrl).replace(/^@/, ''));
  const path = item.mode('user') === 'id' && /^\d+$/.test(named) ? `/users/${named}` : `/users/by/username/${named}`;
  return dataOf(item.send({ path }));
}

function idIn(user: JsonValue | undefined): string {
  return isJsonObject(user) ? asText(user['id'] ?? '') : '';
}
