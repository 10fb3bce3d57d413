import type { NodeProperty } from './description.ts';

/** Properties of a type as a tool, before its own. */
export const toolProperties: readonly NodeProperty[] = [
  {
    displayName: 'Tool Description',
    name: 'descriptionType',
    type: 'options',
    default: 'auto',
    options: [
      { name: 'Set Automatically', value: 'auto' },
      { name: 'Set Manually', value: 'manual' },
    ],
  },
  {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'string',
    default: '',
    description: 'When the model should use the tool',
    displayOptions: { show: { descriptionType: ['manual'] } },
  },
];
