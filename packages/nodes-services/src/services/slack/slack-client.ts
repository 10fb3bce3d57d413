import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText } from '../../shared/json-values.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['channel_not_found', 'Check the channel: it does not exist, or the app is not a member of it'],
  ['not_in_channel', 'Invite the app to the channel: /invite @app'],
  ['missing_scope', 'Add the scope to the app at Slack, install it again, and store the new token in the credential'],
  ['invalid_auth', 'Check the token of the credential'],
  ['token_revoked', 'The token was revoked: install the app again, and store the new token in the credential'],
]);

/** https://docs.slack.dev/apis/web-api: error responses have status 200 and `ok: false`. */
export const slackClient = new ApiClient({
  service: 'Slack',
  credentialType: (access) =>
    access.parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'slackOAuth2Api' : 'slackApi',
  baseUrl: 'https://slack.com/api',
  refusesWithSuccess: true,
  refusalOf({ body }) {
    if (!isJsonObject(body) || body['ok'] !== false) return undefined;
    const { error: code = 'unknown_error', needed, response_metadata: metadata } = body;
    const messages =
      isJsonObject(metadata) && Array.isArray(metadata['messages']) ? `: ${metadata['messages'].join('; ')}` : '';
    const scope = typeof needed === 'string' ? ` (needed: ${needed})` : '';
    return {
      code: asText(code),
      text: `${asText(code).replaceAll('_', ' ')}${scope}${messages}`,
      hint: hints.get(asText(code)),
    };
  },
});

/** Default of the parameter `limit`. */
export const defaultLimit = 50;

type Values = Readonly<Record<string, JsonValue | undefined>>;

/** A method that reads, with its parameters in the query. */
export const read = (method: string, query: Values = {}): ApiRequest => ({ path: `/${method}`, query });

/** Calls a method that writes; resolves to the response. */
export const write = (item: ServiceItem, method: string, json: Values) =>
  item.send({ method: 'POST', path: `/${method}`, json });

/** A member of a response. */
export async function memberOf(response: Promise<JsonValue | undefined>, name: string): Promise<JsonValue | undefined> {
  const body = await response;
  return isJsonObject(body) ? body[name] : body;
}

/** All elements of a list, or `limit` of them, in pages of at most 200. */
export function listOf(
  item: ServiceItem,
  method: string,
  list: string,
  query: Values = {},
  limit = item.limit(defaultLimit),
): Promise<JsonObject[]> {
  const request = read(method, { ...query, limit: Math.min(limit, 200) });
  return item.list(request, cursorPaging(list, 'response_metadata.next_cursor', 'cursor'), limit);
}
