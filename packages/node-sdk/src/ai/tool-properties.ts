import type { NodeProperty } from '../description.ts';

/**
 * Properties that precede the type's own when it is a tool. Public workflows contain a description
 * without a `descriptionType`, so a description is used unless it is set automatically.
 */
export const toolProperties: readonly NodeProperty[] = [
  {
    displayName: 'Tool Description',
    name: 'descriptionType',
    type: 'options',
    default: 'manual',
    options: [
      { name: 'Set Manually', value: 'manual' },
      { name: 'Set Automatically', value: 'auto' },
    ],
  },
  {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'string',
    default: '',
    description: 'When the model should use the tool; empty: what the node does',
    displayOptions: { show: { descriptionType: ['manual'] } },
  },
];
