import { type ExecuteContext, type Item, isJsonObject, type JsonObject, ModelError } from '@sluice/node-sdk';
import { textParameter } from '@sluice/nodes-base/node-tools';
import { fileItem } from '../../shared/file-item.ts';

/** Maximum number of images in one response; the API generates 10. */
const maxImages = 100;

/** Items of an image response: a file each, or their URLs. */
export async function imageItems(
  context: ExecuteContext,
  itemIndex: number,
  answer: JsonObject,
  mimeType = 'image/png',
): Promise<Item[]> {
  const property = textParameter(context, 'options.binaryPropertyOutput', itemIndex, 'data') || 'data';
  const { data } = answer;
  const images = Array.isArray(data) ? data.slice(0, maxImages).filter((image) => isJsonObject(image)) : [];
  if (images.length === 0) throw new ModelError('invalidResponse', 'the provider response has no images');
  const items: Item[] = [];
  for (const { b64_json: base64, ...rest } of images) {
    if (typeof base64 !== 'string') {
      items.push({ json: rest, pairedItem: { item: itemIndex } });
      continue;
    }
    items.push(await fileItem(context, itemIndex, { property, bytes: Buffer.from(base64, 'base64'), mimeType, json: rest }));
  }
  return items;
}
