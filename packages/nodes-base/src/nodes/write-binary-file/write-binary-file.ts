import type { NodeType } from '@sluice/node-sdk';
import { writeMachineFile } from '../../shared/machine-files.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { options, text, toggle } from '../../shared/properties.ts';

export const writeBinaryFile: NodeType = {
  description: {
    displayName: 'Write Binary File',
    name: 'write-binary-file',
    deprecated: true,
    group: ['output'],
    version: 1,
    description: 'Writes the file of each item to the machine; the predecessor of "Read/Write Files from Disk"',
    defaults: { name: 'Write Binary File' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      text('fileName', 'File Name', 'The path of the file; its folder must exist', { required: true }),
      text('dataPropertyName', 'Property Name', 'Property of the item with the file', { default: 'data', required: true }),
      options([toggle('append', 'Append', 'Whether to append the content to an existing file')]),
    ],
    icon: 'fa:file-export',
  },
  execute: async (context) => [await mapItemsAsync(context, (item, itemIndex) => writeMachineFile(context, item, itemIndex))],
};
