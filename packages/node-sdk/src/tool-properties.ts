import type { NodeProperty } from './description.ts';

/**
 * Properties of a type as a tool, before its own. Public workflows have a description without a
 * `descriptionType`, so a description counts unless it is set automatically.
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
