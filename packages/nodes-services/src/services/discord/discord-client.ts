import { credentialText, isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient } from '../../shared/api-client.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';

const hints: ReadonlyMap<number, string> = new Map([
  [10_003, 'Check the channel: it does not exist, or the bot is not a member of its server'],
  [50_001, 'Invite the bot to the server, and let its role see the channel'],
  [50_007, 'The user accepts no direct messages of the bot: both must be members of a server, and the user must allow them'],
  [50_013, 'Give the role of the bot the permission in the settings of the server or channel'],
]);

/** Value of `authentication` → credential type. In version 1, the webhook URL is a parameter. */
const credentialTypes: ReadonlyMap<string, string> = new Map([
  ['botToken', 'discordBotApi'],
  ['oAuth2', 'discordOAuth2Api'],
  ['webhook', 'discordWebhookApi'],
]);

/** https://discord.com/developers/docs/reference; the base URL of a webhook is its own URL. */
export const discordClient = new ApiClient({
  service: 'Discord',
  credentialType: (access) => (access.typeVersion === 1 ? undefined : credentialTypes.get(authenticationOf(access))),
  baseUrl: (credential) =>
    'webhookUri' in credential ? credentialText(credential, 'webhookUri') : 'https://discord.com/api/v10',
  refusalOf({ body }) {
    const { code, message, errors, retry_after: seconds } = objectOf(body);
    const hint = typeof code === 'number' ? hints.get(code) : undefined;
    return {
      ...(typeof code === 'number' && code !== 0 && { code }),
      ...(typeof message === 'string' && { text: [message, ...reasonsIn(errors, '')].join('; ') }),
      ...(hint !== undefined && { hint }),
      ...(typeof seconds === 'number' && { retryAfterMs: seconds * 1_000 }),
    };
  },
});

function authenticationOf(access: ApiAccess): string {
  return access.parameter<string>('authentication', 'botToken');
}

const maxReasons = 5;

/**
 * Reasons in https://discord.com/developers/docs/reference#error-messages, each with its field
 * path.
 */
function reasonsIn(errors: JsonValue | undefined, path: string, depth = 0): string[] {
  if (!isJsonObject(errors) || depth > 6) return [];
  const own = objectsOf(errors['_errors']);
  const reasons = own.map(({ message = '' }) => `${path}: ${message}`);
  for (const [name, inner] of Object.entries(errors).slice(0, 50)) {
    if (reasons.length >= maxReasons) break;
    if (name !== '_errors') reasons.push(...reasonsIn(inner, path === '' ? name : `${path}.${name}`, depth + 1));
  }
  return reasons.slice(0, maxReasons);
}

/** Pages by the last element's ID, which `idOf` returns; a short page is the last. */
export function pagesById(
  parameter: 'after' | 'before',
  size: number,
  idOf: (element: JsonObject) => JsonValue | undefined,
): Paging {
  return {
    list: '',
    next: ({ body }) => {
      const elements = Array.isArray(body) ? body : [];
      const last = elements.at(-1);
      const id = elements.length === size && isJsonObject(last) ? idOf(last) : undefined;
      return id === undefined ? undefined : { query: { [parameter]: id } };
    },
  };
}
