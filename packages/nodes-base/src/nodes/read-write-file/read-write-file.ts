import type { BinaryReference, ExecuteContext, FileDescription, Item, JsonObject, NodeType } from '@sluice/node-sdk';
import { baseName, extensionOf, withFile } from '../../shared/binary-files.ts';
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
    description: 'Reads and writes files of the machine that the worker runs on, inside the folders that the operator allows',
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

/** An item for each file that matches the selector; none without a match. */
async function readFiles(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const selector = requiredText(context, 'fileSelector', itemIndex).trim();
  const literal = booleanParameter(context, 'options.literalBrackets', itemIndex, context.typeVersion > 1);
  const property = textParameter(context, 'options.dataPropertyName', itemIndex, 'data').trim() || 'data';
  const pattern = literal ? selector.replace(/[[\]]/g, '\\$&') : selector;
  return readMachineFiles(context, itemIndex, pattern, async (path) => {
    const reference = await storeMachineFile(context, itemIndex, path, description(context, itemIndex, path));
    return { json: factsOf(reference), binary: withFile(undefined, property, reference) };
  });
}

/** File description from the options, which override the path. */
function description(context: ExecuteContext, itemIndex: number, path: string): FileDescription {
  const option = (name: string) => textParameter(context, `options.${name}`, itemIndex).trim();
  const [name, extension, mimeType] = [option('fileName') || baseName(path), option('fileExtension'), option('mimeType')];
  const fileName = extension && extensionOf(name) !== extension ? `${name}.${extension.replace(/^\./, '')}` : name;
  return { fileName, ...(mimeType && { mimeType }) };
}

function factsOf({ mimeType, fileName = '', fileExtension = '', fileSize }: BinaryReference): JsonObject {
  return { mimeType, fileType: kindOf(mimeType), fileName, fileExtension, fileSize: fileSize ?? null };
}

/** The kind of a file, as editors show it. */
function kindOf(mimeType: string): string | null {
  const [kind = '', detail = ''] = mimeType.split('/', 2);
  if (mimeType === 'application/json') return 'json';
  if (mimeType === 'application/pdf' || mimeType === 'text/html') return detail;
  return ['audio', 'image', 'text', 'video'].includes(kind) ? kind : null;
}
