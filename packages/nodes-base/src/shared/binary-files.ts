import { posix } from 'node:path';
import {
  type BinaryContent,
  type BinaryReference,
  type ExecuteContext,
  type FileDescription,
  type Item,
  isAppError,
  isNodeOperationError,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';
import { storeTyped } from './file-type.ts';

/** Maximum size of a file that is read into memory as one value or document, in bytes. */
export const maxWholeFile = 32 * 1024 * 1024;

/**
 * An item's file in a property. Throws a `NodeOperationError` that lists the properties with files.
 */
export function binaryOf(context: ExecuteContext, itemIndex: number, property: string): BinaryReference {
  const binary = context.items()[itemIndex]?.binary ?? {};
  const reference = ownProperty(binary, property);
  if (reference) return reference;
  const names = Object.keys(binary);
  throw new NodeOperationError(`item ${itemIndex} has no file in "${property}"`, {
    itemIndex,
    description:
      names.length > 0
        ? `Its files are in: ${names.join(', ')}`
        : 'It has no files: the previous node may have dropped them or returned none',
  });
}

/** The bytes of an item's file; see `binaryOf` and `BinaryAccess.read`. */
export async function readBinary(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
  maxBytes = maxWholeFile,
): Promise<Buffer> {
  const reference = binaryOf(context, itemIndex, property);
  const { fileSize } = reference;
  if (fileSize !== undefined && fileSize > maxBytes) throw tooLarge(property, maxBytes, itemIndex);
  const bytes = await ofItem(itemIndex, context.binary.read(reference, maxBytes));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function tooLarge(property: string, maxBytes: number, itemIndex: number): NodeOperationError {
  const description = 'Split the file first, or reduce it at its source';
  return new NodeOperationError(
    `the file in "${property}" has more than ${maxBytes} bytes and cannot be read at once`,
    { itemIndex, description },
    'BINARY_TOO_LARGE',
  );
}

/** A stream of the bytes of an item's file. */
export async function openBinary(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
): Promise<AsyncIterable<Uint8Array>> {
  return ofItem(itemIndex, context.binary.open(binaryOf(context, itemIndex, property)));
}

/** Stores a file, see `storeTyped`; an error has the item's index. */
export async function storeBinary(
  context: ExecuteContext,
  itemIndex: number,
  content: BinaryContent,
  file: FileDescription,
): Promise<BinaryReference> {
  return ofItem(itemIndex, storeTyped(context.binary, content, file));
}

/**
 * Stores a file. The default name is `file` with its type's extension. Empty strings are treated as
 * absent.
 */
export async function storeBinaryByType(
  context: ExecuteContext,
  itemIndex: number,
  content: BinaryContent,
  { fileName, mimeType }: { fileName: string; mimeType: string },
): Promise<BinaryReference> {
  const type = mimeType === '' ? {} : { mimeType };
  if (fileName !== '') return storeBinary(context, itemIndex, content, { fileName, ...type });
  const stored = await storeBinary(context, itemIndex, content, type);
  const extension = stored.fileExtension;
  return { ...stored, fileName: extension === undefined ? 'file' : `file.${extension}` };
}

/** `item.binary` with a file added; other files are kept. */
export function withFile(
  binary: Item['binary'],
  property: string,
  reference: BinaryReference,
): Record<string, BinaryReference> {
  // Defines own properties, regardless of their names.
  return Object.fromEntries([...Object.entries(binary ?? {}), [property, reference]]);
}

/** `binary` without one file. */
export function withoutFile(binary: NonNullable<Item['binary']>, property: string): NonNullable<Item['binary']> {
  return Object.fromEntries(Object.entries(binary).filter(([name]) => name !== property));
}

/** An item's `binary` in an object to spread into another item; empty if the item has no files. */
export function filesOf(binary: Item['binary']): Pick<Item, 'binary'> {
  return binary && Object.keys(binary).length > 0 ? { binary } : {};
}

/** The last part of a path: the file name without its folder. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
}

/** The folder in a path, as the `directory` of a file read from it; `undefined` for a bare name. */
export function folderOf(path: string): Pick<BinaryReference, 'directory'> {
  const { dir } = posix.parse(path.replaceAll('\\', '/'));
  return dir === '' ? {} : { directory: dir };
}

const portHints: ReadonlyMap<string, string> = new Map([
  ['FILE_NOT_ALLOWED', 'Use a path in one of the folders that the service’s operator lists in FILES_DIR'],
  ['FILE_NOT_FOUND', 'Check the path: names are case-sensitive, and a relative path starts in the first folder of FILES_DIR'],
  ['FILE_TOO_LARGE', 'Split the file, or reduce it at its source'],
  ['BINARY_TOO_LARGE', 'Split the file, or reduce it at its source; the operator of the service sets the limit'],
  ['BINARY_NOT_FOUND', 'The file was deleted with its execution: run the workflow again from the node that creates the file'],
]);

/** Adds the item's index to a port's errors, and a hint if available. */
export async function ofItem<T>(itemIndex: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isAppError(error) || isNodeOperationError(error)) throw error;
    const { code, message, details } = error;
    const description = portHints.get(code);
    throw new NodeOperationError(
      message,
      { itemIndex, description, cause: error, ...(details !== undefined && { details }) },
      code,
    );
  }
}
