import { Readable } from 'node:stream';
import { type BinaryAccess, type BinaryReference, gatherBytes } from '@sluice/node-sdk';
import type { CommunityBinary, CommunityItem } from '../community-types.ts';
import { NodeOperationError, UserError } from '../workflow-module/errors.ts';
import { sanitizeFilename } from '../workflow-module/safe-names.ts';
import type { SmallFiles } from './small-files.ts';
import { isResponseStream } from './streamed-response.ts';

interface BinaryPorts {
  node: unknown;
  binary: BinaryAccess;
  items(input?: number): readonly CommunityItem[];
  /** Opens a file that is not stored yet, by its path. */
  openFile(path: string): Promise<AsyncIterable<Uint8Array>>;
}

/** Value of `data` of a stored file whose bytes are elsewhere. */
const elsewhere = 'sluice';

/**
 * A file in the packages' format: with its bytes if they were provided, otherwise readable by
 * `getBinaryDataBuffer` and `getBinaryStream`.
 */
export function toCommunityBinary(reference: BinaryReference, smallFiles?: SmallFiles): CommunityBinary {
  const fileType = fileTypeOf(reference.mimeType);
  return { ...reference, ...(fileType !== undefined && { fileType }), data: smallFiles?.dataOf(reference.id) ?? elsewhere };
}

const fileTypes: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'text/html': 'html',
  'application/pdf': 'pdf',
};

/** The packages' word for a media type; `undefined` for any other type. */
function fileTypeOf(mimeType: string): string | undefined {
  const plain = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return fileTypes[plain] ?? /^(?:text|image|audio|video)(?=\/)/.exec(plain)?.[0];
}

/**
 * Converts a package's file to a reference: the reference it received, or its bytes, stored now.
 */
export async function toReference(
  file: CommunityBinary,
  binary: Pick<BinaryAccess, 'store'>,
  smallFiles?: SmallFiles,
): Promise<BinaryReference> {
  const { id, data = elsewhere, fileName, mimeType } = file;
  if (typeof id === 'string' && id !== '' && (data === elsewhere || data === smallFiles?.dataOf(id)))
    return referenceOf(file, id);
  return binary.store(Buffer.from(data, 'base64'), { ...(fileName && { fileName }), ...(mimeType && { mimeType }) });
}

function referenceOf({ mimeType, fileName, fileExtension, fileSize }: CommunityBinary, id: string): BinaryReference {
  return {
    id,
    mimeType: mimeType ?? 'application/octet-stream',
    ...(fileName !== undefined && { fileName }),
    ...(fileExtension !== undefined && { fileExtension }),
    ...(typeof fileSize === 'number' && { fileSize }),
  };
}

/** `helpers` that read and create files. */
export function binaryHelpers({ node, binary, items, openFile }: BinaryPorts) {
  const stored = new Map<string, BinaryReference>();
  const fileOf = (itemIndex: number, property: string | CommunityBinary, input = 0): CommunityBinary => {
    if (typeof property === 'object') return property;
    const file = items(input)[itemIndex]?.binary?.[property];
    if (file) return file;
    throw new NodeOperationError(
      node,
      `This operation expects the node's input data to contain a binary file '${property}', but none was found`,
      {
        itemIndex,
      },
    );
  };
  const open = async (file: CommunityBinary | string) => {
    const id = typeof file === 'string' ? file : file.id;
    if (id === undefined) return Readable.from([Buffer.from((file as CommunityBinary).data ?? '', 'base64')]);
    return Readable.from(await binary.open({ id, mimeType: 'application/octet-stream' }));
  };
  const read = async (file: CommunityBinary): Promise<Buffer> => {
    const { id, data = elsewhere } = file;
    if (id === undefined) return Buffer.from(data, 'base64');
    return Buffer.from(await binary.read(referenceOf(file, id)));
  };
  const prepareBinaryData = async (content: unknown, fileName?: string, mimeType?: string): Promise<CommunityBinary> => {
    const name = fileName === undefined || fileName === '' ? undefined : sanitizeFilename(fileName);
    const reference = await binary.store(contentOf(content), {
      ...(name !== undefined && { fileName: name }),
      ...(mimeType && { mimeType }),
    });
    stored.set(reference.id, reference);
    return toCommunityBinary(reference);
  };
  const getBinaryMetadata = async (id: string): Promise<FileMetadata> => {
    const files = items().flatMap((item) => Object.values(item.binary ?? {}));
    const { fileName, mimeType, fileSize } = files.find((file) => file.id === id) ?? stored.get(id) ?? {};
    return {
      ...(fileName && { fileName }),
      ...(mimeType && { mimeType }),
      fileSize: Number(fileSize) || (await sizeOf(await open(id))),
    };
  };
  return {
    prepareBinaryData,
    copyBinaryFile: async (path: string, fileName: string, mimeType?: string) =>
      prepareBinaryData(await openFile(path), fileName, mimeType),
    assertBinaryData: (itemIndex: number, property: string | CommunityBinary) => fileOf(itemIndex, property),
    getBinaryDataBuffer: (itemIndex: number, property: string | CommunityBinary, input?: number) =>
      read(fileOf(itemIndex, property, input)),
    getBinaryStream: (id: string) => open(id),
    getBinaryMetadata,
    binaryToBuffer,
    binaryToString: async (body: unknown, encoding?: BufferEncoding) => (await binaryToBuffer(body)).toString(encoding),
    detectBinaryEncoding: () => 'utf-8',
    setBinaryDataBuffer: async (file: CommunityBinary, bytes: Buffer) => ({
      ...file,
      ...(await prepareBinaryData(bytes, file.fileName, file.mimeType)),
    }),
  };
}

export interface FileMetadata {
  fileName?: string;
  mimeType?: string;
  /** In bytes. */
  fileSize: number;
}

async function sizeOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of content) size += chunk.byteLength;
  return size;
}

/** Accepts bytes, a stream of bytes, or base64. */
function contentOf(content: unknown): Uint8Array | AsyncIterable<Uint8Array> {
  if (typeof content === 'string') return Buffer.from(content, 'base64');
  if (Object.prototype.toString.call(content) === '[object ArrayBuffer]') return new Uint8Array(content as ArrayBuffer);
  return content as Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * Maximum size of a response that is read as a whole, in MiB; the same as for a response that was
 * not requested as a stream.
 */
const maxResponseMiB = 50;

/** Throws if a response stream exceeds 50 MiB. */
export async function binaryToBuffer(body: unknown): Promise<Buffer> {
  const content = contentOf(body);
  if (ArrayBuffer.isView(content)) return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const maxBytes = isResponseStream(content) ? maxResponseMiB * 1024 * 1024 : Number.POSITIVE_INFINITY;
  const gathered = await gatherBytes(content, maxBytes);
  if (gathered.length > maxBytes)
    throw new UserError(`the response is larger than ${maxResponseMiB} MiB: store it with prepareBinaryData instead`);
  return gathered.bytes();
}
