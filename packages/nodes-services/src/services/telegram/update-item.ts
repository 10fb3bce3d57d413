import { type Item, isJsonObject, type JsonObject, type JsonValue, type WebhookRequestContext } from '@sluice/node-sdk';
import { asText, objectOf } from '../../shared/json-values.ts';
import { filePath, fileRequest } from './file-path.ts';
import { method, telegramClient } from './telegram-client.ts';

/** An update's item; `undefined` if the chat or the user is excluded. */
export async function updateItem(context: WebhookRequestContext): Promise<Item | undefined> {
  const { body } = context.request;
  const update = objectOf(body);
  const content = contentOf(update);
  const [chats, users] = [idsIn(context, 'chatIds'), idsIn(context, 'userIds')];
  const chat = idOf(content['chat'] ?? objectOf(content['message'])['chat']);
  if (chats.length > 0 && !chats.includes(chat)) return undefined;
  if (users.length > 0 && !users.includes(idOf(content['from']))) return undefined;
  if (context.parameter<JsonValue>('additionalFields.download', false) !== true) return { json: update };
  const file = fileIn(content, asText(context.parameter('additionalFields.imageSize', 'large')));
  return file ? downloaded(context, update, file) : { json: update };
}

/** The subject of the update: its only member besides `update_id`. */
function contentOf(update: JsonObject): JsonObject {
  return Object.values(update).find(isJsonObject) ?? {};
}

function idsIn(context: WebhookRequestContext, name: string): string[] {
  const value = context.parameter<JsonValue>(`additionalFields.${name}`, '');
  const list = Array.isArray(value) ? value : asText(value ?? '').split(',');
  return list.map((one) => asText(one).trim()).filter((one) => one !== '');
}

function idOf(value: JsonValue | undefined): string {
  return isJsonObject(value) ? asText(value['id']) : '';
}

interface FileOfMessage {
  id: string;
  fileName: string;
  mimeType: string;
}

const sizes = ['small', 'medium', 'large', 'extraLarge'];

/**
 * The photo in the requested size or the largest smaller size, the video, or the document in a
 * message.
 */
function fileIn(content: JsonObject, imageSize: string): FileOfMessage | undefined {
  const photos = [content['photo'] ?? []].flat();
  const photo = photos[Math.min(Math.max(sizes.indexOf(imageSize), 0), photos.length - 1)];
  const file = [photo, content['video'], content['document']].find(isJsonObject);
  if (!file || typeof file['file_id'] !== 'string') return undefined;
  const text = (name: string) => (typeof file[name] === 'string' ? file[name] : '');
  return { id: file['file_id'], fileName: text('file_name'), mimeType: text('mime_type') };
}

async function downloaded(
  context: WebhookRequestContext,
  update: JsonObject,
  { id, fileName, mimeType }: FileOfMessage,
): Promise<Item> {
  const response = await telegramClient.send(context, method('getFile', { file_id: id }));
  const path = filePath(response);
  if (path === undefined) return { json: update };
  const name = fileName || (path.split('/').at(-1) ?? 'file');
  const file = await telegramClient.download(context, fileRequest(path), context.binary, { fileName: name, mimeType });
  return { json: update, binary: { data: file } };
}
