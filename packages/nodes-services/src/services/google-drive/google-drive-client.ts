import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { googleClient } from '../../shared/google-client.ts';
import { driveAddress, driveUrl, filePath, inAllDrives } from '../../shared/google-drive.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

export const firstVersions = [1, 2];
export const newVersion = [3];
export const byServiceAccount = [1];

/** https://developers.google.com/workspace/drive/api/reference/rest/v3 */
export const driveClient = googleClient('Google Drive', driveUrl, 'googleDriveOAuth2Api', byServiceAccount);

export const myDrive = 'My Drive';
export const sharedWithMe = 'sharedWithMe';
export const rootFolder = 'root';

/** The ID from a locator by list, ID, or URL; `fallback` if it is empty. */
export function locatedOr(item: ServiceItem, path: string, fallback: string): string {
  const value = item.context.parameter<JsonValue>(path, item.index) ?? '';
  const isEmpty = typeof value === 'object' ? (objectOf(value)['value'] ?? '') === '' : value === '';
  return isEmpty ? fallback : item.id(path, driveAddress);
}

export const fileOf = (item: ServiceItem): string => item.id('fileId', driveAddress);

/** The destination folder of a file. A shared drive's root has the drive's ID. */
export function parentOf(item: ServiceItem): string {
  const folder = locatedOr(item, 'folderId', rootFolder);
  if (folder !== rootFolder) return folder;
  const drive = locatedOr(item, 'driveId', myDrive);
  if (drive === sharedWithMe)
    throw item.error('"Shared with me" is a view without a root folder', 'Choose a folder in it, or another drive');
  return drive === myDrive ? rootFolder : drive;
}

/**
 * Metadata with a new file's parents, in any version. Without parents, Google uses the root of My
 * Drive.
 */
export function parentsOf(item: ServiceItem, path = 'parents'): { parents?: string[] } {
  const parents = item.version >= 3 ? [parentOf(item)] : namesParameter(item.context, path, item.index);
  return parents.length > 0 ? { parents } : {};
}

/** The options with these names that the author set. */
export function chosen(item: ServiceItem, path: string, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(item.fields(path)).filter(([name]) => names.includes(name)));
}

/** Maximum length of text, or of a list, with field names: there are about 60. */
const maxFieldsLength = 5_000;

/** Field names for a response; `fallback` if the author selected no fields. */
export function fieldsOf(item: ServiceItem, fallback: string): string {
  const value = item.context.parameter<JsonValue>('options.fields', item.index) ?? [];
  if ((typeof value === 'string' || Array.isArray(value)) && value.length > maxFieldsLength)
    throw item.error(
      'more fields are selected than Google Drive files have',
      'List the fields that the workflow needs, or use *',
    );
  const names = namesParameter(item.context, 'options.fields', item.index);
  return names.length === 0 ? fallback : names.includes('*') ? '*' : names.join(',');
}

/** Fields of a simplified file. */
export const mainFields = 'kind,id,name,mimeType,webViewLink';

/**
 * Fields of a new file: version 3 can simplify the output; in older versions, the author lists
 * them.
 */
export function newFileFields(item: ServiceItem): string {
  return item.version >= 3 && item.toggle('options.simplifyOutput', true) ? mainFields : fieldsOf(item, '*');
}

/** Changes a file's metadata. */
export function changeFile(
  item: ServiceItem,
  id: string,
  json: JsonObject,
  query: Record<string, JsonValue> = {},
): Promise<JsonValue | undefined> {
  return item.send({ method: 'PATCH', path: filePath(id), json, query: { ...query, ...inAllDrives } });
}

/** Moves a file or folder to the trash, or deletes it permanently. */
export async function deleteFile(item: ServiceItem, id: string, isPermanent: boolean): Promise<JsonObject> {
  if (isPermanent) await item.send({ method: 'DELETE', path: filePath(id), query: inAllDrives });
  else await changeFile(item, id, { trashed: true }, { fields: 'id' });
  return { id, success: true };
}
