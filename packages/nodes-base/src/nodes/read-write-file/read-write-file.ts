import {
  type BinaryReference,
  type ExecuteContext,
  type Item,
  type JsonObject,
  NodeOperationError,
  type NodeType,
} from '@sluice/node-sdk';
import { withFile } from '../../shared/binary-files.ts';
import { readMachineFiles, storeMachineFile, writeMachineFile } from '../../shared/machine-files.ts';
import { booleanParameter, choiceParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { readWriteFileProperties } from './read-write-file-properties.ts';

export const readWriteFile: NodeType = {
  description: {
    displayName: 'Read/Write Files from Disk',
    name: 'read-write-file',
    group: ['input'],
    version: [1, 1.1],
    description: 'Reads and writes files on the worker’s machine, inside the folders that the operator allows',
    defaults: { name: 'Read/Write Files from Disk' },
    inputs: ['main'],
    outputs: ['main'],
    properties: readWriteFileProperties,
    icon: 'fa:file',
    subtitle: '={{ $parameter["operation"] }}',
  },
  execute: async (context) => [
    await mapItemsAsync(context, (item, itemIndex) => {
      const operation = choiceParameter(context, 'operation', itemIndex, ['read', 'write'], 'read');
      return operation === 'read' ? readFiles(context, itemIndex) : writeMachineFile(context, item, itemIndex);
    }),
  ],
};

/**
 * An item for each file that matches the selector. If no file matches, version 1 returns no item,
 * and later versions fail.
 */
async function readFiles(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const selector = requiredText(context, 'fileSelector', itemIndex).trim();
  const literal = booleanParameter(context, 'options.literalBrackets', itemIndex, true);
  const property = textParameter(context, 'options.dataPropertyName', itemIndex, 'data').trim() || 'data';
  const items = await readMachineFiles(context, itemIndex, literal ? withLiteralBrackets(selector) : selector, async (path) => {
    const stored = await storeMachineFile(context, itemIndex, path);
    const reference = { ...stored, ...overrides(context, itemIndex) };
    return { json: factsOf(reference, kindOf(stored.mimeType)), binary: withFile(undefined, property, reference) };
  });
  if (items.length > 0 || context.typeVersion === 1) return items;
  throw new NodeOperationError(
    `no file matches ${selector}`,
    { itemIndex, description: 'Check the selector: names are case-sensitive' },
    'FILE_NOT_FOUND',
  );
}

/** Brackets that are already escaped remain so. */
function withLiteralBrackets(selector: string): string {
  return selector.replace(/\\.|[[\]]/gs, (token) => (token.length > 1 ? token : `\\${token}`));
}

/** Metadata in the options, each replacing the file's own. */
function overrides(context: ExecuteContext, itemIndex: number): Partial<BinaryReference> {
  const options = ['fileName', 'fileExtension', 'mimeType'].map((name) => [
    name,
    textParameter(context, `options.${name}`, itemIndex).trim(),
  ]);
  return Object.fromEntries(options.filter(([, value]) => value !== ''));
}

/** `kind`: the kind of the original file on the machine. */
function factsOf(reference: BinaryReference, kind: string | undefined): JsonObject {
  const { mimeType, fileName = '', fileExtension, fileSize } = reference;
  return {
    mimeType,
    ...(kind !== undefined && { fileType: kind }),
    fileName,
    ...(fileExtension !== undefined && { fileExtension }),
    ...(fileSize !== undefined && { fileSize: sizeText(fileSize) }),
  };
}

/** A file's kind, as editors show it. */
function kindOf(mimeType: string): string | undefined {
  const [kind = '', detail = ''] = mimeType.split('/', 2);
  if (mimeType === 'application/json') return 'json';
  if (mimeType === 'application/pdf' || mimeType === 'text/html') return detail;
  return ['audio', 'image', 'text', 'video'].includes(kind) ? kind : undefined;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A human-readable size with three digits: `1.05 MB`. */
function sizeText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** unit).toPrecision(3))} ${units[unit]}`;
}
