import type { NodeType } from '@sluice/node-sdk';

/** The node type `probe`, whose behavior a test defines. */
export function probeOf(execute: NonNullable<NodeType['execute']>): NodeType {
  return {
    description: {
      displayName: 'Probe',
      name: 'probe',
      group: ['transform'],
      version: 1,
      description: '',
      defaults: { name: 'Probe' },
      inputs: ['main'],
      outputs: ['main'],
      properties: [],
    },
    execute,
  };
}
