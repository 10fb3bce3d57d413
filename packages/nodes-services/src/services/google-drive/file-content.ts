import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import type { Produced } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { driveUploadUrl, filePath, inAllDrives } from '../../shared/google-drive.ts';
import { resumableUpload, type UploadedContent } from '../../shared/google-upload.ts';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { chosen, driveClient, fileOf } from './google-drive-client.ts';

/** Export formats: https://developers.google.com/workspace/drive/api/guides/ref-export-formats */
const extensions: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['application/rtf', 'rtf'],
  ['application/vnd.google-apps.script+json', 'json'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/x-vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/zip', 'zip'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/svg+xml', 'svg'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
]);

/** Google’s own type → the parameter with its export format, and the default. */
export const conversions: ReadonlyMap<string, readonly [parameter: string, format: string]> = new Map([
  [
    'application/vnd.google-apps.document',
    ['docsToFormat', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ],
  ['application/vnd.google-apps.drawing', ['drawingsToFormat', 'image/jpeg']],
  [
    'application/vnd.google-apps.presentation',
    ['slidesToFormat', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ],
  [
    'application/vnd.google-apps.spreadsheet',
    ['sheetsToFormat', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ],
]);

const scriptType = 'application/vnd.google-apps.script';

/** Downloads a file into a property of the item. Google’s own documents are exported. */
export async function download(item: ServiceItem): Promise<Produced> {
  const { id, name, mimeType } = await described(item, fileOf(item));
  const property = item.text(item.version < 3 ? 'binaryPropertyName' : 'options.binaryPropertyName', 'data') || 'data';
  const format = mimeType.startsWith('application/vnd.google-apps.') ? formatOf(item, mimeType) : undefined;
  const request =
    format === undefined
      ? { path: filePath(id), query: { alt: 'media', ...inAllDrives } }
      : { path: filePath(id, '/export'), query: { mimeType: format } };
  const fileName = item.optional('options.fileName') ?? named(name, format);
  const input = item.context.items()[item.index];
  const { binary } = await item.download(request, {}, property, { fileName, mimeType: format ?? mimeType });
  return new FileItem(input?.json ?? {}, { ...input?.binary, ...binary });
}

/** A shortcut has no content; its target does. */
async function described(item: ServiceItem, id: string): Promise<{ id: string; name: string; mimeType: string }> {
  const query = { fields: 'name,mimeType,shortcutDetails', ...inAllDrives };
  const { name, mimeType, shortcutDetails } = objectOf(await item.send({ path: filePath(id), query }));
  const { targetId, targetMimeType } = objectOf(shortcutDetails);
  return {
    id: textOf(targetId) || id,
    name: textOf(name),
    mimeType: textOf(targetMimeType) || textOf(mimeType),
  };
}

function formatOf(item: ServiceItem, mimeType: string): string {
  if (mimeType === scriptType) return `${scriptType}+json`;
  const conversion = conversions.get(mimeType);
  if (!conversion)
    throw item.error(`files of the type ${mimeType} have no content`, 'Choose a file, or a document, sheet, slide, or drawing');
  const [parameter, fallback] = conversion;
  return item.text(`options.googleFileConversion.conversion.${parameter}`) || fallback;
}

/** Documents have names without extensions. */
function named(name: string, format: string | undefined): string {
  const extension = format === undefined ? undefined : extensions.get(format);
  return extension === undefined || name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}

export function textContent(text: string): UploadedContent {
  const bytes = Buffer.from(text);
  return { mimeType: 'text/plain', byteLength: bytes.length, bytes: oneChunk(bytes) };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const queryNames = ['keepRevisionForever', 'ocrLanguage', 'useContentAsIndexableText'];

/** Query parameters for writing a file. */
export function writeQuery(item: ServiceItem, path: string, fields: string): Record<string, JsonValue> {
  return { fields, ...chosen(item, path, queryNames), ...inAllDrives };
}

/** Creates a file with content, or replaces the content of an existing file. */
export function writeContent(
  item: ServiceItem,
  content: UploadedContent,
  { id, json, query }: { id?: string; json: JsonObject; query: Record<string, JsonValue> },
): Promise<JsonObject> {
  const path = `${driveUploadUrl}/files${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
  const method = id === undefined ? 'POST' : 'PATCH';
  return resumableUpload(driveClient, item.access, { method, path, query, json }, content);
}

/** Properties that apps attach to a file. */
export function attachedProperties(item: ServiceItem, path = 'options'): JsonObject {
  const properties = pairsIn(item, `${path}.propertiesUi.propertyValues`);
  const appProperties = pairsIn(item, `${path}.appPropertiesUi.appPropertyValues`);
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(Object.keys(appProperties).length > 0 && { appProperties }),
  };
}

function pairsIn(item: ServiceItem, path: string): JsonObject {
  const pairs = item.entries(path).map(({ key = '', value = '' }): [string, JsonValue] => [asText(key), value]);
  return Object.fromEntries(pairs.filter(([key]) => key !== ''));
}
