import { type JsonObject, type JsonValue, type NodeProperty, optionalCredentialText } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { linkPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * Value of `authentication` → credential type, and its field with the secret that Shopify uses for
 * signatures.
 */
const accounts = {
  accessToken: { type: 'shopifyAccessTokenApi', secret: 'appSecretKey' },
  apiKey: { type: 'shopifyApi', secret: 'sharedSecret' },
  oAuth2: { type: 'shopifyOAuth2Api', secret: 'clientSecret' },
} as const;

/** The credential that a node uses. */
export function accountOf(authentication: string): { type: string; secret: string } {
  return accounts[authentication as keyof typeof accounts] ?? accounts.apiKey;
}

export const authentication: NodeProperty = choice(
  'authentication',
  'Authentication',
  choices(['accessToken', 'Access Token'], ['apiKey', 'API Key'], ['oAuth2', 'OAuth2']),
  { default: 'apiKey' },
);

export const credentials = Object.entries(accounts).map(([value, { type }]) => ({
  name: type,
  required: true,
  ...where({ authentication: [value] }),
}));

/**
 * https://shopify.dev/docs/api/admin-rest; Shopify serves an expired version as the oldest
 * supported version.
 */
export const shopifyClient = new ApiClient({
  service: 'Shopify',
  credentialType: ({ parameter }) => accountOf(parameter<string>('authentication', 'apiKey')).type,
  baseUrl: (credential) =>
    `https://${optionalCredentialText(credential, 'shopSubdomain').trim()}.myshopify.com/admin/api/2025-10`,
  refusalOf({ body }) {
    const text = reasonIn(objectOf(body)['errors']);
    return text === '' ? {} : { text };
  },
});

/** `{ "title": ["can't be blank"] }` is `title can't be blank`; `base` is not a field. */
function reasonIn(errors: JsonValue | undefined): string {
  if (typeof errors === 'string') return errors;
  const object = objectOf(errors);
  for (const field in object) {
    const [first] = [object[field] ?? ''].flat();
    return field === 'base' ? textOf(first) : `${field} ${textOf(first)}`;
  }
  return '';
}

/** Maximum number of elements per page of a list. */
const pageSize = 250;

export const listProperties = listPropertiesOf();

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, name: string, query: ApiRequest['query'] = {}): Promise<JsonObject[]> {
  const limit = item.limit();
  const request = { path: `/${name}.json`, query: { ...query, limit: Math.min(limit, pageSize) } };
  return item.list(request, linkPaging(name), limit);
}

/** Sends a request; resolves to the member of its response. */
export async function sendFor(item: ServiceItem, request: ApiRequest, member: string): Promise<JsonValue> {
  return objectOf(await item.send(request))[member] ?? {};
}

export const pathOf = (item: ServiceItem, kind: string, parameter: string): string =>
  `/${kind}/${encodeURIComponent(item.id(parameter).trim())}.json`;

/** `createdAtMin` → `created_at_min` */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An object's members under their Shopify names; empty members are omitted. */
export function snakeFields(object: JsonObject): JsonObject {
  const filled = Object.entries(object).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries(filled.map(([name, value]) => [snake(name), value]));
}

const isTime = /_(min|max)$/;

/** A collection's members as a query. Times without an offset are in the workflow's time zone. */
export async function queryOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const query: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(snakeFields(item.fields(path)))) {
    const time = isTime.test(name) ? await item.readTime(value) : undefined;
    query.push([name, time === undefined ? joined(value) : new Date(time).toISOString()]);
  }
  return Object.fromEntries(query);
}

/** Shopify separates the values of a list with commas. */
export const joined = (value: JsonValue): JsonValue => (Array.isArray(value) ? value.map(asText).join() : value);
