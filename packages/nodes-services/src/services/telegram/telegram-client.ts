import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * https://core.telegram.org/bots/api#making-requests; the credential adds the token to the path.
 */
export const telegramClient = new ApiClient({
  service: 'Telegram',
  credentialType: 'telegramApi',
  baseUrl: telegramAddress,
  refusesWithSuccess: true,
  refusalOf({ status, body }) {
    const { ok, error_code: code, description, parameters } = objectOf(body);
    if (status === 200 && ok !== false) return undefined;
    const seconds = Number((parameters as { retry_after?: unknown } | undefined)?.retry_after);
    return {
      ...((typeof code === 'number' || typeof code === 'string') && { code }),
      ...(typeof description === 'string' && { text: description }),
      ...(seconds > 0 && { retryAfterMs: seconds * 1_000 }),
    };
  },
});

export function telegramAddress(credential: JsonObject): string {
  return optionalCredentialText(credential, 'baseUrl', 'https://api.telegram.org').replace(/\/$/, '');
}

/** A Bot API method with its parameters. */
export function method(name: string, json: NonNullable<ApiRequest['json']>): ApiRequest {
  return { method: 'POST', path: `/${name}`, json };
}

/** Calls a method; resolves to the response, `{ ok, result }`. */
export function call(item: ServiceItem, name: string, parameters: Readonly<Record<string, JsonObject[string] | undefined>>) {
  return item.send(method(name, parameters));
}
