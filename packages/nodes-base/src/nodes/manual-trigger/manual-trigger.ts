import type { NodeType } from '@sluice/node-sdk';

/** Start of a manual run or a run through the API. */
export const manualTrigger: NodeType = {
  description: {
    displayName: 'Manual Trigger',
    name: 'manual-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow with one empty item when it is run manually or through the API',
    defaults: { name: 'Manual Trigger' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [],
    icon: 'fa:mouse-pointer',
    maxNodes: 1,
  },
  execute: () => [[{ json: {} }]],
};
