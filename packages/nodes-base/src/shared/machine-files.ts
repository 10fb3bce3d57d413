import {
  type BinaryReference,
  type ExecuteContext,
  type FileAccess,
  type Item,
  isAppError,
  NodeOperationError,
} from '@sluice/node-sdk';
import { baseName, folderOf, ofItem, openBinary, storeBinary } from './binary-files.ts';
import { setOwn } from './field-path.ts';
import { booleanParameter, requiredText, textParameter } from './parameters.ts';

/** Access to files on this machine. Throws if the operator does not allow it. */
export function machineFiles(context: Pick<ExecuteContext, 'files'>, itemIndex: number): FileAccess {
  if (context.files) return context.files;
  throw new NodeOperationError(
    'nodes cannot access files on this machine',
    { itemIndex, description: 'The operator of the service lists the folders that nodes may use in FILES_DIR' },
    'FILE_NOT_ALLOWED',
  );
}

/**
 * Resolves to an item for each file that matches a pattern, in path order; to an empty list if no
 * file matches. `read` creates the item, which is paired with the input item.
 */
export async function readMachineFiles(
  context: ExecuteContext,
  itemIndex: number,
  pattern: string,
  read: (path: string) => Promise<Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const path of await ofItem(itemIndex, matches(machineFiles(context, itemIndex), pattern))) {
    context.signal.throwIfAborted();
    items.push({ ...(await read(path)), pairedItem: { item: itemIndex } });
  }
  return items;
}

async function matches(files: FileAccess, pattern: string): Promise<readonly string[]> {
  try {
    return await files.list(pattern);
  } catch (error) {
    if (isAppError(error) && error.code === 'FILE_NOT_FOUND') return [];
    throw error;
  }
}

/** Copies a file from this machine to the execution's files. */
export async function storeMachineFile(context: ExecuteContext, itemIndex: number, path: string): Promise<BinaryReference> {
  const content = await ofItem(itemIndex, machineFiles(context, itemIndex).open(path));
  return { ...(await storeBinary(context, itemIndex, content, { fileName: baseName(path) })), ...folderOf(path) };
}

/**
 * Writes an item's file, according to the parameters `fileName`, `dataPropertyName`, and
 * `options.append`. Resolves to the item with the path in `fileName`.
 */
export async function writeMachineFile(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item> {
  const path = requiredText(context, 'fileName', itemIndex).trim();
  const property = textParameter(context, 'dataPropertyName', itemIndex, 'data').trim() || 'data';
  const append = booleanParameter(context, 'options.append', itemIndex, false);
  const files = machineFiles(context, itemIndex);
  const content = await openBinary(context, itemIndex, property);
  await ofItem(itemIndex, files.write(path, content, { append }));
  const json = { ...item.json };
  setOwn(json, 'fileName', path);
  return { ...item, json, pairedItem: { item: itemIndex } };
}
