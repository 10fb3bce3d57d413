import type { NodeType } from '@sluice/node-sdk';
import { splitOutItems } from './split-out-items.ts';
import { splitOutProperties } from './split-out-properties.ts';

export const splitOut: NodeType = {
  description: {
    displayName: 'Split Out',
    name: 'split-out',
    group: ['transform'],
    version: 1,
    description: 'Creates an item from each element of a list within an item',
    defaults: { name: 'Split Out' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: splitOutProperties,
    icon: 'fa:columns',
  },
  execute: async (context) => [await splitOutItems(context)],
};
