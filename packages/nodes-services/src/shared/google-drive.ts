import type { JsonObject, ListSearchResult } from '@sluice/node-sdk';
import type { ApiAccess, ApiClient } from './api-client.ts';
import { objectOf, objectsOf, textOf } from './json-values.ts';

/** https://developers.google.com/workspace/drive/api/reference/rest/v3 */
export const driveUrl = 'https://www.googleapis.com/drive/v3';
export const driveUploadUrl = 'https://www.googleapis.com/upload/drive/v3';

export const folderType = 'application/vnd.google-apps.folder';

/** Matches browser URLs of files, documents, folders, and shared drives. */
export const driveAddress = /(?:\/d\/(?:e\/)?|\/folders\/|[?&]id=)([\w-]+)/;

export const filePath = (id: string, action = ''): string => `${driveUrl}/files/${encodeURIComponent(id)}${action}`;

/** Without it, Google does not find files in shared drives. */
export const inAllDrives = { supportsAllDrives: 'true' };
/** Like `inAllDrives`, for lists. */
export const fromAllDrives = { ...inAllDrives, includeItemsFromAllDrives: 'true' };

/**
 * Quotes a string for a query:
 * https://developers.google.com/workspace/drive/api/guides/search-files
 */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}

const pageSize = '100';

/** A page of files, for editor lists. `condition`: a query that all of them match. */
export async function searchFiles(
  client: ApiClient,
  access: ApiAccess,
  condition: string,
  { filter = '', paginationToken = '' }: { filter?: string | undefined; paginationToken?: string | undefined },
): Promise<ListSearchResult> {
  const name = filter === '' ? '' : ` and name contains ${quoted(filter)}`;
  const query = {
    q: `${condition} and trashed = false${name}`,
    fields: 'nextPageToken,files(id,name,webViewLink)',
    orderBy: 'modifiedByMeTime desc,name',
    pageSize,
    pageToken: paginationToken,
    ...fromAllDrives,
  };
  return namedPage(objectOf(await client.send(access, { path: `${driveUrl}/files`, query })), 'files');
}

/** A page of shared drives, for editor lists. */
export async function searchDrives(
  client: ApiClient,
  access: ApiAccess,
  { filter = '', paginationToken = '' }: { filter?: string | undefined; paginationToken?: string | undefined },
): Promise<ListSearchResult> {
  const query = {
    q: filter === '' ? '' : `name contains ${quoted(filter)}`,
    fields: 'nextPageToken,drives(id,name)',
    pageSize,
    pageToken: paginationToken,
  };
  return namedPage(objectOf(await client.send(access, { path: `${driveUrl}/drives`, query })), 'drives');
}

function namedPage(body: JsonObject, list: string): ListSearchResult {
  const results = objectsOf(body[list]).map(({ id, name, webViewLink }) => ({
    name: textOf(name),
    value: textOf(id),
    ...(typeof webViewLink === 'string' && { url: webViewLink }),
  }));
  const next = textOf(body['nextPageToken']);
  return { results, ...(next !== '' && { paginationToken: next }) };
}
