import type { NodeType } from '@sluice/node-sdk';
import { withFile } from '../../shared/binary-files.ts';
import { storeMachineFile } from '../../shared/machine-files.ts';
import { requiredText, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { text } from '../../shared/properties.ts';

export const readBinaryFile: NodeType = {
  description: {
    displayName: 'Read Binary File',
    name: 'read-binary-file',
    deprecated: true,
    group: ['input'],
    version: 1,
    description: 'Reads a file on the machine for each item; the predecessor of "Read/Write Files from Disk"',
    defaults: { name: 'Read Binary File' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      text('filePath', 'File Path', 'The path of the file', { required: true }),
      text('dataPropertyName', 'Property Name', 'Property of the item for the file', { default: 'data', required: true }),
    ],
    icon: 'fa:file-import',
  },
  execute: async (context) => [
    await mapItemsAsync(context, async (item, itemIndex) => {
      const path = requiredText(context, 'filePath', itemIndex).trim();
      const property = textParameter(context, 'dataPropertyName', itemIndex, 'data').trim() || 'data';
      const reference = await storeMachineFile(context, itemIndex, path);
      return { json: item.json, binary: withFile(item.binary, property, reference), pairedItem: { item: itemIndex } };
    }),
  ],
};
