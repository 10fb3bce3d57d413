import type { NodeType } from '@sluice/node-sdk';
import { branchesByConditions } from '../../shared/filter/branches.ts';
import { ifProperties, ifVersions } from './if-properties.ts';

/**
 * Sends each item to output 0 if it meets the conditions, otherwise to output 1. A failed item goes
 * to output 1 unchanged, unless the node has an error output.
 */
export const ifNode: NodeType = {
  description: {
    displayName: 'If',
    name: 'if',
    group: ['transform'],
    version: ifVersions,
    description: 'Sends items to one of two branches, by conditions',
    defaults: { name: 'If' },
    inputs: ['main'],
    outputs: ['main', 'main'],
    computesOnly: true,
    properties: ifProperties,
    icon: 'fa:map-signs',
    iconColor: 'green',
  },
  execute: (context) => branchesByConditions(context, { parameter: 'combineOperation', all: 'all', any: 'any' }),
};
