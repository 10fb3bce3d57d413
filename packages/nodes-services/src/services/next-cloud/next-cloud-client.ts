// cspell:ignore getcontentlength getcontenttype getetag getlastmodified propstat resourcetype
import { isJsonObject, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { readServiceXml, withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { type ApiAccess, ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const credentialOf = ({ parameter }: Pick<ApiAccess, 'parameter'>): string =>
  parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'nextCloudOAuth2Api' : 'nextCloudApi';

const addressIn = (credential: JsonObject) => withoutFinalSlashes(optionalCredentialText(credential, 'webDavUrl'));

/** https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/ */
export const nextCloudClient = new ApiClient({
  service: 'Nextcloud',
  credentialType: credentialOf,
  baseUrl: addressIn,
  refusalOf: ({ start }) => ({ text: messageIn(start) }),
});

/** An error response is XML with an element `s:message`. */
const messageIn = (text: string): string => /<s:message>([^<]{0,500})/.exec(text)?.[1] ?? '';

/** Folders and file names are at most this long together. */
const maxPath = 4_096;

/** Path of a file or folder below the WebDAV address, with or without a slash at its start. */
export function davPath(item: ServiceItem, parameter: string): string {
  const path = item.text(parameter);
  if (path.length > maxPath) throw item.error(`the path has more than ${maxPath} characters`, 'Check the path');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw item.error('the path leads out of the folder', 'Remove the part ".." from the path');
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** Path of a file or folder other than the root. */
export function ownPath(item: ServiceItem, parameter = 'path'): string {
  const path = davPath(item, parameter);
  if (path !== '/') return path;
  throw item.error(`the parameter "${parameter}" is required`, 'Set it to a path, such as /reports/2026');
}

/** A request that copies or moves to another path. */
export async function relocation(item: ServiceItem, method: 'COPY' | 'MOVE'): Promise<ApiRequest> {
  const address = addressIn(await item.context.credentials(credentialOf(item.access), item.index));
  return { method, path: ownPath(item), headers: { destination: `${address}${ownPath(item, 'toPath')}` } };
}

/** The files and folders of a folder: https://www.rfc-editor.org/rfc/rfc4918#section-9.1 */
export async function listFolder(item: ServiceItem): Promise<JsonObject[]> {
  const path = davPath(item, 'path');
  const body = await item.send({ method: 'PROPFIND', path, headers: { depth: '1' } });
  const { response } = objectOf((await readServiceXml(item.context, typeof body === 'string' ? body : ''))['multistatus']);
  const entries = objectsOf(response).flatMap((one) => entryOf(one) ?? []);
  const root = rootOf(entries, path);
  return entries
    .map((entry) => ({ ...entry, path: pathBelow(root, entry.path) }))
    .filter((entry) => entry.path !== decoded(path));
}

type Entry = JsonObject & { path: string };

function entryOf({ href, propstat }: JsonObject): Entry | undefined {
  if (typeof href !== 'string') return undefined;
  const successful = objectsOf(propstat).find(({ status = '' }) => asText(status).includes(' 200 '));
  const props = objectOf(successful?.['prop']);
  const { getlastmodified: modified, getcontentlength: length, getcontenttype: type, getetag: tag } = props;
  return {
    path: decoded(withoutFinalSlashes(href)),
    type: isJsonObject(props['resourcetype'] ?? null) ? 'folder' : 'file',
    ...(typeof modified === 'string' && { lastModified: modified }),
    ...(typeof length === 'string' && { contentLength: Number(length) }),
    ...(typeof type === 'string' && { contentType: type }),
    ...(typeof tag === 'string' && { eTag: tag.replaceAll('"', '') }),
  };
}

/**
 * The server's part of all paths. The folder itself is part of its list, with the shortest path.
 */
function rootOf(entries: readonly Entry[], path: string): string {
  const own = path === '/' ? '' : decoded(path);
  const shortest = entries.reduce(
    (best, entry) => (entry.path.length < best.length ? entry.path : best),
    entries[0]?.path ?? '',
  );
  return shortest.endsWith(own) ? shortest.slice(0, shortest.length - own.length) : '';
}

const pathBelow = (root: string, path: string): string => (path.startsWith(root) ? path.slice(root.length) : path) || '/';

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
