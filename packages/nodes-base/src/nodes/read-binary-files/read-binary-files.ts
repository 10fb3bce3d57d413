import type { NodeType } from '@sluice/node-sdk';
import { withFile } from '../../shared/binary-files.ts';
import { readMachineFiles, storeMachineFile } from '../../shared/machine-files.ts';
import { requiredText, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { text } from '../../shared/properties.ts';

export const readBinaryFiles: NodeType = {
  description: {
    displayName: 'Read Binary Files',
    name: 'read-binary-files',
    group: ['input'],
    version: 1,
    description: 'Reads the files of the machine that match a pattern; the predecessor of "Read/Write Files from Disk"',
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
  execute: async (context) => [
    await mapItemsAsync(context, (_, itemIndex) => {
      const property = textParameter(context, 'dataPropertyName', itemIndex, 'data').trim() || 'data';
      return readMachineFiles(context, itemIndex, requiredText(context, 'fileSelector', itemIndex).trim(), async (path) => ({
        json: {},
        binary: withFile(undefined, property, await storeMachineFile(context, itemIndex, path)),
      }));
    }),
  ],
};
