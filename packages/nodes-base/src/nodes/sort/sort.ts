import type { NodeType } from '@sluice/node-sdk';
import { sortItems } from './sort-items.ts';
import { sortProperties } from './sort-properties.ts';

export const sort: NodeType = {
  description: {
    displayName: 'Sort',
    name: 'sort',
    group: ['transform'],
    version: 1,
    description: 'Changes the order of items',
    defaults: { name: 'Sort' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: sortProperties,
    icon: 'fa:sort-alpha-down',
  },
  execute: async (context) => [await sortItems(context)],
};
