import type { NodeType } from '@sluice/node-sdk';
import { limitItems } from './limit-items.ts';
import { limitProperties } from './limit-properties.ts';

export const limit: NodeType = {
  description: {
    displayName: 'Limit',
    name: 'limit',
    group: ['transform'],
    version: 1,
    description: 'Keeps the first or the last items',
    defaults: { name: 'Limit' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: limitProperties,
    icon: 'fa:cut',
  },
  execute: async (context) => [await limitItems(context)],
};
