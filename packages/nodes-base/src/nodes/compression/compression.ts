import type { NodeType } from '@sluice/node-sdk';
import { choiceParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { compress } from './compress.ts';
import { compressionProperties } from './compression-properties.ts';
import { decompress } from './decompress.ts';

export const compression: NodeType = {
  description: {
    displayName: 'Compression',
    name: 'compression',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Compresses files of items as zip or gzip, and decompresses such files',
    defaults: { name: 'Compression' },
    inputs: ['main'],
    outputs: ['main'],
    properties: compressionProperties,
    icon: 'fa:file-archive',
    iconColor: 'green',
    subtitle: '={{ $parameter["operation"] }}',
  },
  execute: async (context) => [
    await mapItemsAsync(context, async (item, itemIndex) => {
      const operation = choiceParameter(context, 'operation', itemIndex, ['compress', 'decompress'], 'decompress');
      const binary = await (operation === 'compress' ? compress(context, itemIndex) : decompress(context, itemIndex));
      return { json: item.json, binary, pairedItem: { item: itemIndex } };
    }),
  ],
};
