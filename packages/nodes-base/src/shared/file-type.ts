import type { BinaryAccess, BinaryContent, BinaryReference, FileDescription } from '@sluice/node-sdk';
import mime from 'mime-types';

/** Signatures of formats are at the beginning of a file. */
const signatureBytes = 4_100;

/**
 * Stores a file. Without a type, it has the type of its file name, else of the signature in its
 * content, else text.
 */
export async function storeTyped(
  binary: BinaryAccess,
  content: BinaryContent,
  file: FileDescription,
): Promise<BinaryReference> {
  const fileName = file.fileName ?? '';
  if (file.mimeType !== undefined || mime.lookup(fileName)) return binary.store(content, file);
  const { mimeType, whole } = await detected(content);
  const stored = await binary.store(whole, { ...file, mimeType: mimeType ?? 'text/plain' });
  if (mimeType !== undefined || extensionOf(fileName) !== '') return stored;
  // The type is only a guess, so it gives the file no extension.
  const { fileExtension: _, ...reference } = stored;
  return reference;
}

/** In lower case, without the dot; `''` if there is none. */
export function extensionOf(fileName: string): string {
  return /[^./\\]\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** The type of a content, and the content as it was: reading its beginning consumes a stream. */
async function detected(content: BinaryContent): Promise<{ mimeType: string | undefined; whole: BinaryContent }> {
  if (content instanceof Uint8Array) return { mimeType: await typeOf(content), whole: content };
  const rest = content[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  for (let length = 0; length < signatureBytes; ) {
    const { done, value } = await rest.next();
    if (done) break;
    start.push(value);
    length += value.length;
  }
  return { mimeType: await typeOf(Buffer.concat(start)), whole: joined(start, rest) };
}

async function typeOf(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(bytes.subarray(0, signatureBytes)))?.mime;
}

async function* joined(start: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* start;
  yield* { [Symbol.asyncIterator]: () => rest };
}
