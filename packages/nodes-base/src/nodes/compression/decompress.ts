import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type BinaryReference, type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { baseName, binaryOf, readBinary, storeBinary } from '../../shared/binary-files.ts';
import { namesParameter, textParameter } from '../../shared/parameters.ts';
import { ByteCounter, looksLikeZip, zipEntries } from '../../shared/zip-entries.ts';

type Files = Record<string, BinaryReference>;

/** Maximum size of an archive, and of the content of all archives of an item, in bytes. */
const maxArchive = 128 * 1024 * 1024;
const limits = { maxBytes: 512 * 1024 * 1024, maxFiles: 1_000 };

/**
 * The files in an item's archives, which replace all its previous files: `file_0`, `file_1`, … The
 * content distinguishes zip from gzip.
 */
export async function decompress(context: ExecuteContext, itemIndex: number): Promise<Files> {
  const properties = namesParameter(context, 'binaryPropertyName', itemIndex);
  const prefix = textParameter(context, 'outputPrefix', itemIndex, 'file_');
  const counter = new ByteCounter(limits.maxBytes, itemIndex);
  const files: BinaryReference[] = [];
  for (const property of properties.length > 0 ? properties : ['data']) {
    const archive = await readBinary(context, itemIndex, property, maxArchive);
    if (looksLikeZip(archive)) await unzip(context, archive, { itemIndex, counter, files });
    else if (looksLikeGzip(archive)) files.push(await gunzip(context, archive, { itemIndex, counter, property }));
    else throw unknownFormat(property, itemIndex);
  }
  return Object.fromEntries(files.map((file, index) => [`${prefix}${index}`, file]));
}

async function unzip(
  context: ExecuteContext,
  archive: Buffer,
  { itemIndex, counter, files }: { itemIndex: number; counter: ByteCounter; files: BinaryReference[] },
): Promise<void> {
  for await (const { path, open } of zipEntries(archive, limits, itemIndex)) {
    context.signal.throwIfAborted();
    // The folder in the archive is omitted: a file has only a name.
    const fileName = baseName(path) || 'file';
    files.push(await storeBinary(context, itemIndex, counter.count(await open()), { fileName }));
  }
}

async function gunzip(
  context: ExecuteContext,
  archive: Buffer,
  { itemIndex, counter, property }: { itemIndex: number; counter: ByteCounter; property: string },
): Promise<BinaryReference> {
  const unpacked = createGunzip();
  // The stream's reader receives the failure.
  pipeline([archive], unpacked, { signal: context.signal }).catch(() => {});
  const name = baseName(binaryOf(context, itemIndex, property).fileName ?? '');
  const fileName = name.replace(/\.(gz|gzip)$/i, '').replace(/\.tgz$/i, '.tar') || 'file';
  return storeBinary(context, itemIndex, counter.count(unpacked), { fileName });
}

function looksLikeGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unknownFormat(property: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the file in "${property}" is neither a zip archive nor a gzip file`, {
    itemIndex,
    description: 'Other formats, such as tar and 7z, are not supported',
  });
}
