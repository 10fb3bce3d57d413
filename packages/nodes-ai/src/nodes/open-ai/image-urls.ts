import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { binaryOf, choiceParameter, namesParameter, readBinary } from '@sluice/nodes-base/node-tools';

/** Largest file in a request. */
const maxBytes = 20 * 1024 * 1024;

/** A file of the item as a data URL. */
export async function imageUrlOf(context: ExecuteContext, itemIndex: number, property: string): Promise<string> {
  const { mimeType } = binaryOf(context, itemIndex, property);
  const bytes = await readBinary(context, itemIndex, property, maxBytes);
  return `data:${mimeType};base64,${bytes.toString('base64')}`;
}

/** URLs of the images to analyze: the given ones, or the item's files. */
export async function imageUrls(context: ExecuteContext, itemIndex: number): Promise<string[]> {
  const isUrl = choiceParameter(context, 'inputType', itemIndex, ['url', 'base64'], 'url') === 'url';
  const names = isUrl
    ? namesParameter(context, 'imageUrls', itemIndex)
    : (namesParameter(context, 'binaryPropertyName', itemIndex) ?? []);
  if (isUrl && names.length === 0)
    throw new NodeOperationError('there is no image', {
      itemIndex,
      description: 'Fill in "URL(s)"; its expression may have no value',
    });
  if (isUrl) return names;
  const properties = names.length === 0 ? ['data'] : names;
  return Promise.all(properties.map((property) => imageUrlOf(context, itemIndex, property)));
}
