import { isJsonObject, type JsonObject, type JsonValue, optionalCredentialText } from '@sluice/node-sdk';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const credentialType = (parameter: (path: string, fallback: string) => string): string =>
  parameter('authentication', 'accessToken') === 'oAuth2' ? 'dropboxOAuth2Api' : 'dropboxApi';

/** https://www.dropbox.com/developers/documentation/http/documentation */
export const dropboxClient = new ApiClient({
  service: 'Dropbox',
  credentialType: ({ parameter }) => credentialType(parameter),
  baseUrl: 'https://api.dropboxapi.com/2',
  refusalOf({ status, body }) {
    if (typeof body === 'string') return body.length < 500 ? { text: body } : {};
    const { error_summary: summary, user_message: message, error } = objectOf(body);
    const code = codeOf(textOf(summary));
    const text = textOf(objectOf(message)['text']) || code.replaceAll('_', ' ');
    const hint = [...hints].find(([part]) => code.includes(part))?.[1];
    const seconds = objectOf(error)['retry_after'];
    return {
      ...(code !== '' && { code, text }),
      ...(hint !== undefined && { hint }),
      ...(status === 429 && typeof seconds === 'number' && { retryAfterMs: seconds * 1_000 }),
    };
  },
});

/** `path/not_found/..` → `path/not_found`: Dropbox adds dots. */
const codeOf = (summary: string): string =>
  summary
    .slice(0, 200)
    .split('/')
    .filter((part) => part.replaceAll('.', '') !== '')
    .join('/');

/** Parts of an error code. */
const hints: ReadonlyMap<string, string> = new Map([
  ['expired_access_token', 'Tokens of the App Console expire after four hours: use OAuth2 instead'],
  ['invalid_access_token', 'Check the token of the credential, or connect the credential again'],
  ['missing_scope', 'Add the scope to the app at Dropbox, then connect the credential again'],
  ['insufficient_space', 'The Dropbox of the account is full'],
  ['malformed_path', 'Paths start with a slash, such as /reports/a.pdf'],
  ['not_found', 'Check the path: there is no such file or folder'],
  ['conflict', 'Choose another path: there is a file or folder at this one'],
]);

export const contentUrl = 'https://content.dropboxapi.com/2';

const roots = new OncePerRun<Record<string, string>>();

/**
 * Headers that make paths start in the team's root folder, if the app may access all of Dropbox;
 * otherwise they would start in the member's folder
 * (https://www.dropbox.com/developers/reference/path-root-header-modes).
 */
function rootHeaders(item: ServiceItem): Promise<Record<string, string>> {
  const type = credentialType((path, fallback) => item.text(path, fallback));
  return roots.get(item.context, type, () => readRoot(item, type));
}

async function readRoot(item: ServiceItem, type: string): Promise<Record<string, string>> {
  const credential = await item.context.credentials(type, item.index);
  if (optionalCredentialText(credential, 'accessType', 'full') !== 'full') return {};
  const account = objectOf(await item.send({ method: 'POST', path: '/users/get_current_account' }));
  const { root_namespace_id: root, home_namespace_id: home } = objectOf(account['root_info']);
  return typeof root !== 'string' || root === home ? {} : { 'dropbox-api-path-root': JSON.stringify({ '.tag': 'root', root }) };
}

/** Calls a files endpoint; resolves to its result. */
export const call = async (item: ServiceItem, endpoint: string, json: JsonObject): Promise<JsonValue | undefined> =>
  item.send(await rpc(item, endpoint, json));

async function rpc(item: ServiceItem, endpoint: string, json: JsonObject): Promise<ApiRequest> {
  return { path: `/files/${endpoint}`, json, headers: await rootHeaders(item) };
}

/** Limited because the path is part of a header. */
const maxPathLength = 4_000;

/** A request whose argument is in a header, because its body or its response is a file. */
export async function contentRequest(item: ServiceItem, endpoint: string, argument: JsonObject): Promise<ApiRequest> {
  if (item.text('path').length > maxPathLength)
    throw item.error(`the path has more than ${maxPathLength} characters`, 'Check the expression for the path');
  const headers = { ...(await rootHeaders(item)), 'dropbox-api-arg': asciiJson(argument) };
  return { method: 'POST', path: `${contentUrl}/files/${endpoint}`, headers };
}

/** Headers may only contain ASCII characters. */
const asciiJson = (value: JsonObject): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * A list with a cursor: `endpoint` returns the first page, and `<endpoint>/continue` the others.
 */
export async function listed(
  item: ServiceItem,
  endpoint: string,
  [list, next]: readonly [list: string, next: string],
  json: JsonObject,
  limit: number,
): Promise<JsonObject[]> {
  const paging: Paging = {
    list,
    next({ body }) {
      const { has_more: hasMore, cursor } = objectOf(body);
      return hasMore === true && typeof cursor === 'string' ? { path: `/files/${next}`, json: { cursor } } : undefined;
    },
  };
  return item.list(await rpc(item, endpoint, json), paging, limit);
}

/** Member names in the simplified output. */
const simpleNames: readonly (readonly [name: string, simple: string])[] = [
  ['id', 'id'],
  ['name', 'name'],
  ['client_modified', 'lastModifiedClient'],
  ['server_modified', 'lastModifiedServer'],
  ['rev', 'rev'],
  ['size', 'contentSize'],
  ['.tag', 'type'],
  ['content_hash', 'contentHash'],
  ['path_lower', 'pathLower'],
  ['path_display', 'pathDisplay'],
  ['has_explicit_shared_members', 'hasExplicitSharedMembers'],
  ['is_downloadable', 'isDownloadable'],
];

export function simplified(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    simpleNames.flatMap(([name, simple]): [string, JsonValue][] => {
      const value = entry[name];
      return value === undefined ? [] : [[simple, value]];
    }),
  );
}

/** The metadata of a search match. */
export function matched({ metadata, ...rest }: JsonObject): JsonObject {
  const inner = objectOf(metadata);
  return isJsonObject(inner['metadata'] ?? null) ? (inner['metadata'] as JsonObject) : { metadata: inner, ...rest };
}
