import {
  type BinaryContent,
  type BinaryReference,
  type ExecuteContext,
  type FileAccess,
  type FileDescription,
  type Item,
  isAppError,
  isNodeOperationError,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';

/** Bytes of the largest file that is taken whole, to become one value or one document. */
export const maxWholeFile = 32 * 1024 * 1024;

/** The file of an item under a property. Throws a `NodeOperationError` that names the properties that do hold a file. */
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
        : 'It has no files at all: the node before may have dropped them, or given none',
  });
}

/** The bytes of a file of an item; see `binaryOf` and `BinaryAccess.read`. */
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
  const description = 'Split the file first, or have its source send less';
  return new NodeOperationError(
    `the file in "${property}" has more than ${maxBytes} bytes, too many to be read at once`,
    { itemIndex, description },
    'BINARY_TOO_LARGE',
  );
}

/** A stream of the bytes of a file of an item. */
export async function openBinary(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
): Promise<AsyncIterable<Uint8Array>> {
  return ofItem(itemIndex, context.binary.open(binaryOf(context, itemIndex, property)));
}

/** Stores a file; a failure names the item. */
export async function storeBinary(
  context: ExecuteContext,
  itemIndex: number,
  content: BinaryContent,
  file: FileDescription,
): Promise<BinaryReference> {
  return ofItem(itemIndex, context.binary.store(content, file));
}

/** Stores a file. Without a name it is called `file`, with the extension of its type. Empty texts count as not given. */
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

/** `item.binary` with one more file; its other files stay. */
export function withFile(
  binary: Item['binary'],
  property: string,
  reference: BinaryReference,
): Record<string, BinaryReference> {
  // Defines own properties whatever their names.
  return Object.fromEntries([...Object.entries(binary ?? {}), [property, reference]]);
}

/** `binary` without one file. */
export function withoutFile(binary: NonNullable<Item['binary']>, property: string): NonNullable<Item['binary']> {
  return Object.fromEntries(Object.entries(binary).filter(([name]) => name !== property));
}

/** `binary` of an item, or nothing where it has none: for spreading into an item. */
export function filesOf(binary: Item['binary']): Pick<Item, 'binary'> {
  return binary && Object.keys(binary).length > 0 ? { binary } : {};
}

/** The last part of a path: what a file is called, without its folder. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
}

/** Lower case and without its dot; `''`: there is none. */
export function extensionOf(fileName: string): string {
  return /[^./\\]\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** The files of the machine. Throws where the operator allows none. */
export function machineFiles(context: Pick<ExecuteContext, 'files'>, itemIndex: number): FileAccess {
  if (context.files) return context.files;
  throw new NodeOperationError(
    'nodes may not reach files of this machine',
    { itemIndex, description: 'The operator of the service names the folders that nodes may use in FILES_DIR' },
    'FILE_NOT_ALLOWED',
  );
}

const portHints: ReadonlyMap<string, string> = new Map([
  ['FILE_NOT_ALLOWED', 'Use a path in one of the folders that the operator of the service names in FILES_DIR'],
  [
    'FILE_NOT_FOUND',
    'Check the path: names count by every letter, and a path without a "/" before it begins in the first folder of FILES_DIR',
  ],
  ['FILE_TOO_LARGE', 'Split the file, or have its source send less'],
  ['BINARY_TOO_LARGE', 'Split the file, or have its source send less; the operator of the service sets the cap'],
  ['BINARY_NOT_FOUND', 'The file was deleted with its execution: run the workflow again from where the file is made'],
]);

/** Adds the index of the item to the errors of a port, and a hint where there is one. */
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
