import { Readable } from 'node:stream';
import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { baseName, folderOf, openBinary, storeBinary, withFile } from '../../shared/binary-files.ts';
import { booleanParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import type { EntryBudget } from './entry-budget.ts';
import { createFolders, listFolder, removeFolderTree } from './folders.ts';
import type { RemoteFiles } from './remote-files.ts';

/** Context of an operation for one item. */
export interface Step {
  context: ExecuteContext;
  files: RemoteFiles;
  /** Shared by all items of the run. */
  entries: EntryBudget;
  item: Item;
  itemIndex: number;
}

export const operationNames = ['download', 'delete', 'list', 'rename', 'upload'] as const;

/** Each operation's result for an item. */
export const operations: Record<(typeof operationNames)[number], (step: Step) => Promise<Item[]>> = {
  delete: remove,
  download,
  list,
  rename,
  upload,
};

async function list({ context, files, itemIndex, entries }: Step): Promise<Item[]> {
  const path = textParameter(context, 'path', itemIndex, '/') || '/';
  const listed = await listFolder(files, path, booleanParameter(context, 'recursive', itemIndex, false), entries);
  return listed.map((file) => ({ json: { ...file }, pairedItem: { item: itemIndex } }));
}

async function download({ context, files, item, itemIndex }: Step): Promise<Item[]> {
  const path = requiredText(context, 'path', itemIndex);
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const stored = await storeBinary(context, itemIndex, files.download(path), { fileName: baseName(path) });
  const reference = { ...stored, ...folderOf(path) };
  return [{ ...item, binary: withFile(item.binary, property, reference), pairedItem: { item: itemIndex } }];
}

async function upload({ context, files, item, itemIndex }: Step): Promise<Item[]> {
  const path = requiredText(context, 'path', itemIndex);
  const content = await contentOf(context, itemIndex);
  await createFolders(files, path);
  await files.upload(path, content);
  return [{ ...item, pairedItem: { item: itemIndex } }];
}

async function contentOf(context: ExecuteContext, itemIndex: number): Promise<Readable> {
  if (!booleanParameter(context, 'binaryData', itemIndex, true)) {
    return Readable.from([Buffer.from(textParameter(context, 'fileContent', itemIndex))]);
  }
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  return Readable.from(await openBinary(context, itemIndex, property));
}

async function rename({ context, files, itemIndex }: Step): Promise<Item[]> {
  const from = requiredText(context, 'oldPath', itemIndex);
  const to = requiredText(context, 'newPath', itemIndex);
  if (booleanParameter(context, 'options.createDirectories', itemIndex, false)) await createFolders(files, to);
  await files.rename(from, to);
  return [done(itemIndex)];
}

async function remove({ context, files, itemIndex }: Step): Promise<Item[]> {
  const path = requiredText(context, 'path', itemIndex);
  if (!booleanParameter(context, 'options.folder', itemIndex, false)) await files.remove(path);
  else if (booleanParameter(context, 'options.recursive', itemIndex, false)) await removeFolderTree(files, path);
  else await files.removeFolder(path);
  return [done(itemIndex)];
}

function done(itemIndex: number): Item {
  return { json: { success: true }, pairedItem: { item: itemIndex } };
}
