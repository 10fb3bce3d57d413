import type { NodeType } from '@sluice/node-sdk';
import { aggregateItems } from './aggregate-items.ts';
import { aggregateProperties } from './aggregate-properties.ts';

export const aggregate: NodeType = {
  description: {
    displayName: 'Aggregate',
    name: 'aggregate',
    group: ['transform'],
    version: 1,
    description: 'Combines many items into one: a list of them, or lists of their fields',
    defaults: { name: 'Aggregate' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: aggregateProperties,
    icon: 'fa:layer-group',
  },
  execute: (context) => [[aggregateItems(context)]],
};
