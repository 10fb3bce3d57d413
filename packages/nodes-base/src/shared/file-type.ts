import type { BinaryAccess, BinaryContent, BinaryReference, FileDescription } from '@sluice/node-sdk';
import mime from 'mime-types';

/**
 * Number of bytes that are searched for a format's signature, which is at the beginning of a file.
 */
const signatureBytes = 4_100;

/**
 * Stores a file. If no type is given, it is determined by the file name, else by the signature in
 * the content, else it is text.
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
  // The type is only a guess, so it does not determine the file's extension.
  const { fileExtension: _, ...reference } = stored;
  return reference;
}

/** In lower case, without the dot; `''` if there is no extension. */
export function extensionOf(fileName: string): string {
  return /[^./\\]\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** A content's type, and the content unchanged: reading its beginning consumes a stream. */
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
