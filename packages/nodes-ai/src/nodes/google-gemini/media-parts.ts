import { type BinaryReference, type ExecuteContext, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { binaryOf, choiceParameter, coercedText, itemError, namesParameter, readBinary } from '@sluice/nodes-base/node-tools';
import { uploadMedia } from './upload-media.ts';

/** Largest file in a request; larger ones are uploaded first. */
const maxInline = 15 * 1024 * 1024;
const timeoutMs = 120_000;

/**
 * Parts with the files to analyze: the item's files, or files at URLs. `urls`: the parameter with
 * the URLs.
 */
export async function mediaParts(context: ExecuteContext, itemIndex: number, urls: string): Promise<JsonObject[]> {
  if (choiceParameter(context, 'inputType', itemIndex, ['url', 'binary'], 'url') === 'binary') {
    const names = namesParameter(context, 'binaryPropertyName', itemIndex);
    const properties = names.length === 0 ? ['data'] : names;
    return inOrder(properties, (property) => filePart(context, itemIndex, property));
  }
  const addresses = namesParameter(context, urls, itemIndex);
  if (addresses.length === 0)
    throw new NodeOperationError('there is no file', {
      itemIndex,
      description: 'Fill in "URL(s)"; its expression may have no value',
    });
  return inOrder(addresses, (address) => addressPart(context, itemIndex, address));
}

async function inOrder<T>(values: readonly string[], work: (value: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const value of values) results.push(await work(value));
  return results;
}

/** A file of the item. */
export async function filePart(context: ExecuteContext, itemIndex: number, property: string): Promise<JsonObject> {
  const file = binaryOf(context, itemIndex, property);
  const isSmall = file.fileSize !== undefined && file.fileSize <= maxInline;
  return isSmall
    ? inline(file.mimeType, await readBinary(context, itemIndex, property, maxInline))
    : uploaded(context, itemIndex, file);
}

async function uploaded(context: ExecuteContext, itemIndex: number, file: BinaryReference): Promise<JsonObject> {
  const { uri, mimeType } = await uploadMedia(context, itemIndex, file);
  return { fileData: { mimeType: mimeType ?? file.mimeType, fileUri: uri ?? '' } };
}

const inline = (mimeType: string, bytes: Buffer): JsonObject => ({ inlineData: { mimeType, data: bytes.toString('base64') } });

/**
 * Google fetches its own files and YouTube videos itself; other files are read here, without a
 * credential.
 */
async function addressPart(context: ExecuteContext, itemIndex: number, url: string): Promise<JsonObject> {
  if (/^https:\/\/(?:generativelanguage\.googleapis\.com|(?:www\.)?youtube\.com|youtu\.be)\//.test(url))
    return { fileData: { fileUri: url } };
  const request = { method: 'GET', url, timeoutMs, maxRedirects: 5, maxResponseBytes: maxInline };
  const { status, headers, body } = await context.http.request(request, context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw itemError(error, itemIndex);
  });
  if (status !== 200)
    throw new NodeOperationError(`the file cannot be read: its server responded with status ${status}`, {
      itemIndex,
      description: 'Check the URL',
    });
  const mimeType = coercedText(headers['content-type']).split(';')[0]?.trim() || 'application/octet-stream';
  return inline(mimeType, Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}
