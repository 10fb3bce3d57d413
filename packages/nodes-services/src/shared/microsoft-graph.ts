import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient, type ApiResponse } from './api-client.ts';
import { objectOf } from './json-values.ts';
import type { Paging } from './paging.ts';
import type { Refusal } from './refusal.ts';
import type { ServiceNode } from './service-item.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['ErrorAccessDenied', 'Connect the credential again: its account or its scopes do not allow this'],
  ['ErrorItemNotFound', 'Check the ID: a message gets a new one when it is moved'],
  ['InvalidAuthenticationToken', 'Connect the credential again'],
]);

/**
 * A client for https://learn.microsoft.com/graph/overview. `root`: path prefix, which depends on
 * the credential.
 */
export function microsoftGraph(
  service: string,
  credentialType: string | ((access: ApiAccess) => string),
  root: (credential: JsonObject) => string = () => '/me',
): ApiClient {
  return new ApiClient({
    service,
    credentialType,
    baseUrl: (credential) => {
      const address = optionalCredentialText(credential, 'graphApiBaseUrl', 'https://graph.microsoft.com');
      return `${address.replace(/\/$/, '')}/v1.0${root(credential)}`;
    },
    refusalOf: graphRefusal,
  });
}

/** Graph's code and message, with a hint for common codes. */
export function graphRefusal({ body }: ApiResponse): Refusal {
  const { code, message } = objectOf(objectOf(body)['error']);
  const hint = typeof code === 'string' ? hints.get(code) : undefined;
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { text: message }),
    ...(hint !== undefined && { hint }),
  };
}

/** https://learn.microsoft.com/graph/paging: the response contains the URL of the next page. */
export const graphPages: Paging = {
  list: 'value',
  next: ({ body }) => {
    const next = objectOf(body)['@odata.nextLink'];
    return typeof next === 'string' ? { path: next } : undefined;
  },
};

/**
 * A `dateTimeTimeZone`. A time with an offset becomes UTC: Graph accepts local times with their
 * zone.
 */
export function graphTime(item: Pick<ServiceNode, 'error'>, text: string, timeZone: string): JsonObject {
  if (!/(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return { dateTime: text, timeZone };
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw item.error(`"${text.slice(0, 100)}" is not a time`, 'Write it as 2026-01-31T09:00:00');
  return { dateTime: at.toISOString().replace('Z', ''), timeZone: 'UTC' };
}

/** Quotes a string for an OData filter. */
export function odataText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * ID from a resource locator or text, encoded for a path. `urls` finds it in a browser URL, where
 * it may already be encoded.
 */
export function encodedId(item: Pick<ServiceNode, 'id' | 'mode'>, path: string, urls?: RegExp): string {
  const id = item.id(path, urls);
  return encodeURIComponent(item.mode(path) === 'url' ? decoded(id) : id);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Names that OneDrive and SharePoint do not allow. As a part of a path, some of them may lead to
 * another folder.
 */
const forbidden = /["*:<>?/\\|]|^\.\.?$/;

/** The name of a new file or folder, as a part of a path. */
export function drivePart(item: Pick<ServiceNode, 'error'>, name: string): string {
  if (!forbidden.test(name)) return encodeURIComponent(name);
  throw item.error('Microsoft does not allow this name for a file or folder', 'Remove the characters " * : < > ? / \\ |');
}
