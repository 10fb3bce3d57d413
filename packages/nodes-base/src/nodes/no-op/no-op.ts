import type { NodeType } from '@sluice/node-sdk';
import { passedItem } from '../../shared/per-item.ts';

export const noOp: NodeType = {
  description: {
    displayName: 'No Operation',
    name: 'no-op',
    group: ['transform'],
    version: 1,
    description: 'Passes its items on unchanged, to join or end branches',
    defaults: { name: 'No Operation' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [],
    icon: 'fa:arrow-right',
  },
  execute: (context) => [context.items().map((item, itemIndex) => passedItem(item, itemIndex))],
};
