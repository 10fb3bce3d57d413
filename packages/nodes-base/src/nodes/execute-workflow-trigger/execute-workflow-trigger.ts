import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, list, text, when } from '../../shared/properties.ts';
import { calledItems } from './called-items.ts';

const typed = [1.1, 1.2];

/** Where a workflow begins that another one calls. */
export const executeWorkflowTrigger: NodeType = {
  description: {
    displayName: 'Execute Workflow Trigger',
    name: 'execute-workflow-trigger',
    group: ['trigger'],
    version: [1, 1.1, 1.2],
    description: 'Starts when another workflow calls this one, with the items of the call',
    defaults: { name: 'When Executed by Another Workflow' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      choice(
        'inputSource',
        'Input data mode',
        choices(
          ['workflowInputs', 'Define using fields below', 'The fields below, each with a type; other fields are left out'],
          ['jsonExample', 'Define using JSON example', 'The fields of an example, with the types that they have there'],
          ['passthrough', 'Accept all data', 'The items as they come, files included'],
        ),
        when(typed),
      ),
      text('jsonExample', 'JSON Example', 'An object whose fields are those of each item', {
        type: 'json',
        ...when(typed, { inputSource: ['jsonExample'] }),
      }),
      list(
        'workflowInputs',
        'Workflow Input Schema',
        'values',
        [
          text('name', 'Name', 'A field of each item'),
          choice(
            'type',
            'Type',
            choices(
              ['any', 'Any'],
              ['string', 'String'],
              ['number', 'Number'],
              ['boolean', 'Boolean'],
              ['array', 'Array'],
              ['object', 'Object'],
            ),
            { default: 'string', description: 'What its value must be, or is made, where it says the same' },
          ),
        ],
        when(typed, { inputSource: ['workflowInputs'] }),
      ),
      choice(
        'returnOutput',
        'Return Output',
        choices(
          ['lastRunOnly', 'Last Run Only', 'What the last node gave in its last run'],
          ['allRuns', 'All Runs', 'What the last node gave in all its runs'],
        ),
        { ...when([1, 1.1]), description: 'What the calling workflow gets' },
      ),
    ],
    icon: 'fa:sign-out-alt',
    maxNodes: 1,
  },
  execute: (context) => [calledItems(context)],
};
