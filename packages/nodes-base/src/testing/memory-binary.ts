import { buffer } from 'node:stream/consumers';
import { AppError, type BinaryAccess, type BinaryReference } from '@sluice/node-sdk';
import mime from 'mime-types';

/** A file store in memory, for node tests. */
export function memoryBinary(): BinaryAccess {
  const files = new Map<string, Uint8Array>();
  const read = async ({ id }: BinaryReference): Promise<Uint8Array> => {
    const bytes = files.get(id);
    if (!bytes) throw new AppError({ code: 'BINARY_NOT_FOUND', message: `there is no file ${id}` });
    return bytes;
  };
  return {
    async store(content, { fileName, mimeType = mime.lookup(fileName ?? '') || 'application/octet-stream' }) {
      const bytes = content instanceof Uint8Array ? content : await buffer(content);
      const id = `file-${files.size}`;
      files.set(id, bytes);
      return {
        id,
        mimeType,
        fileSize: bytes.length,
        ...(fileName !== undefined && { fileName }),
        ...extensionOf(fileName, mimeType),
      };
    },
    read,
    async open(reference) {
      const bytes = await read(reference);
      return (async function* () {
        yield bytes;
      })();
    },
  };
}

/** By name, or for some types by media type. */
const extensions = new Map([
  ['application/json', 'json'],
  ['image/png', 'png'],
  ['text/csv', 'csv'],
]);

function extensionOf(fileName: string | undefined, mimeType: string): { fileExtension?: string } {
  const fileExtension = /\.([^.]+)$/.exec(fileName ?? '')?.[1] ?? extensions.get(mimeType);
  return fileExtension === undefined ? {} : { fileExtension };
}
