import type { BinaryReference, JsonObject, JsonValue } from '@sluice/node-sdk';
import { chunksOf } from '../../shared/chunks.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { contentRequest } from './dropbox-client.ts';

/**
 * Largest file in one request:
 * https://www.dropbox.com/developers/documentation/http/documentation#files-upload
 */
const maxBytesAtOnce = 150 * 1024 * 1024;

const contentType = 'application/octet-stream';

/** Uploads a file of the item as a stream; a large one, or one of unknown size, in parts. */
export async function uploadFile(item: ServiceItem, file: BinaryReference, commit: JsonObject): Promise<JsonValue | undefined> {
  if (file.fileSize === undefined || file.fileSize > maxBytesAtOnce)
    return uploadInParts(item, await item.context.binary.open(file), commit);
  const { body } = await item.body(file);
  return item.send({ ...(await contentRequest(item, 'upload', commit)), bytes: { body, contentType } });
}

export async function uploadText(item: ServiceItem, text: string, commit: JsonObject): Promise<JsonValue | undefined> {
  return item.send({ ...(await contentRequest(item, 'upload', commit)), bytes: { body: text, contentType } });
}

/**
 * https://www.dropbox.com/developers/documentation/http/documentation#files-upload_session-start
 */
async function uploadInParts(
  item: ServiceItem,
  bytes: AsyncIterable<Uint8Array>,
  commit: JsonObject,
): Promise<JsonValue | undefined> {
  const send = async (endpoint: string, argument: JsonObject, body: Uint8Array) =>
    item.send({ ...(await contentRequest(item, `upload_session/${endpoint}`, argument)), bytes: { body, contentType } });
  let session = '';
  for await (const { bytes: body, start: offset, isLast } of chunksOf(bytes)) {
    const cursor = { session_id: session, offset };
    if (offset === 0) session = textOf(objectOf(await send('start', { close: false }, body))['session_id']);
    else if (!isLast) await send('append_v2', { cursor, close: false }, body);
    else return send('finish', { cursor, commit }, body);
    if (isLast) return send('finish', { cursor: { session_id: session, offset: body.length }, commit }, new Uint8Array());
  }
  return undefined;
}
