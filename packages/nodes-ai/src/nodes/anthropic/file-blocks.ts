import { type ExecuteContext, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { binaryOf, choiceParameter, namesParameter, readBinary } from '@sluice/nodes-base/node-tools';

/** Largest file in a request: the API accepts 32 MB per request. */
const maxBytes = 20 * 1024 * 1024;

/** Blocks with the files for the model: the item's files, or URLs that Anthropic fetches. */
export async function attachments(
  context: ExecuteContext,
  itemIndex: number,
  kind?: 'document' | 'image',
): Promise<JsonObject[]> {
  const type = choiceParameter(context, kind ? 'inputType' : 'attachmentsInputType', itemIndex, ['url', 'binary'], 'url');
  if (type === 'binary') {
    const names = namesParameter(context, 'binaryPropertyName', itemIndex);
    const blocks: JsonObject[] = [];
    for (const name of names.length === 0 ? ['data'] : names) blocks.push(await fileBlock(context, itemIndex, name));
    return blocks;
  }
  const addresses = namesParameter(context, kind ? `${kind}Urls` : 'attachmentsUrls', itemIndex);
  if (addresses.length === 0)
    throw new NodeOperationError('there is no file', {
      itemIndex,
      description: 'Fill in "URL(s)"; its expression may have no value',
    });
  return addresses.map((url) => ({ type: kind ?? kindOf(url), source: { type: 'url', url } }));
}

/** The kind of a file at a URL. */
function kindOf(url: string): 'document' | 'image' {
  return /\.(?:gif|jpe?g|png|webp)(?:[?#]|$)/i.test(url) ? 'image' : 'document';
}

async function fileBlock(context: ExecuteContext, itemIndex: number, property: string): Promise<JsonObject> {
  const { mimeType } = binaryOf(context, itemIndex, property);
  const bytes = await readBinary(context, itemIndex, property, maxBytes);
  if (mimeType.startsWith('image/')) return { type: 'image', source: base64(mimeType, bytes) };
  if (mimeType === 'application/pdf') return { type: 'document', source: base64(mimeType, bytes) };
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: bytes.toString('utf8') } };
}

const base64 = (mimeType: string, bytes: Buffer): JsonObject => ({
  type: 'base64',
  media_type: mimeType,
  data: bytes.toString('base64'),
});
