import type { BinaryReference, ExecuteContext, Item, JsonObject } from '@sluice/node-sdk';
import { storeBinaryByType } from '@sluice/nodes-base/node-tools';

interface MadeFile {
  property: string;
  bytes: Uint8Array;
  mimeType: string;
  fileName?: string;
  json?: JsonObject;
}

/** An item with a file that a model generated; its JSON describes the file. */
export async function fileItem(context: ExecuteContext, itemIndex: number, madeFile: MadeFile): Promise<Item> {
  const { property, bytes, mimeType, fileName = '', json = {} } = madeFile;
  const file = await storeBinaryByType(context, itemIndex, bytes, { fileName, mimeType });
  return { json: { ...json, ...described(file) }, binary: { [property]: file }, pairedItem: { item: itemIndex } };
}

function described({ fileName, fileExtension, mimeType, fileSize }: BinaryReference): JsonObject {
  return {
    mimeType,
    ...(fileName !== undefined && { fileName }),
    ...(fileExtension !== undefined && { fileExtension }),
    ...(fileSize !== undefined && { fileSize }),
  };
}
