import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { withFile } from '../../shared/binary-files.ts';
import { readMachineFiles, storeMachineFile } from '../../shared/machine-files.ts';
import { requiredText, textParameter } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { pairsForEach } from '../../shared/per-item-async.ts';
import { text } from '../../shared/properties.ts';

export const readBinaryFiles: NodeType = {
  description: {
    displayName: 'Read Binary Files',
    name: 'read-binary-files',
    deprecated: true,
    group: ['input'],
    version: 1,
    description: 'Reads the files on the machine that match a pattern; the predecessor of "Read/Write Files from Disk"',
    defaults: { name: 'Read Binary Files' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      text('fileSelector', 'File Selector', 'A path, or a pattern with `*`, `**`, `?`, `[abc]` and `{a,b}`', {
        required: true,
      }),
      text('dataPropertyName', 'Property Name', 'Property of the items for the files', { default: 'data', required: true }),
    ],
    icon: 'fa:file-import',
  },
  execute: async (context) => [await readOnce(context)],
};

/** Uses the first item's selector; each file is paired with all items. */
async function readOnce(context: ExecuteContext): Promise<Item[]> {
  if (context.items().length === 0) return [];
  try {
    const property = textParameter(context, 'dataPropertyName', 0, 'data').trim() || 'data';
    const items = await readMachineFiles(context, 0, requiredText(context, 'fileSelector', 0).trim(), async (path) => ({
      json: {},
      binary: withFile(undefined, property, await storeMachineFile(context, 0, path)),
    }));
    const pairedItem = pairsForEach(context, items.length);
    return items.map(({ json, binary = {} }) => ({ json, binary, ...(pairedItem && { pairedItem }) }));
  } catch (error) {
    return [failedOrThrow(context, 0, error)];
  }
}
