import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, list, text, when } from '../../shared/properties.ts';
import { calledItems } from './called-items.ts';

const typed = [1.1, 1.2];

/** Start of a workflow that another workflow calls. */
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
          ['workflowInputs', 'Define using fields below', 'The fields below; other fields are omitted'],
          ['jsonExample', 'Define using JSON example', 'The fields of an example; other fields are omitted'],
          ['passthrough', 'Accept all data', 'All items unchanged, including files'],
        ),
        when(typed),
      ),
      text('jsonExample', 'JSON Example', 'An object with the fields of each item', {
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
            { default: 'string', description: 'Type that the calling node checks or converts to' },
          ),
        ],
        when(typed, { inputSource: ['workflowInputs'] }),
      ),
      choice(
        'returnOutput',
        'Return Output',
        choices(
          ['lastRunOnly', 'Last Run Only', 'Output of the last node’s last run'],
          ['allRuns', 'All Runs', 'Output of all runs of the last node'],
        ),
        { ...when([1, 1.1]), description: 'Result for the calling workflow' },
      ),
    ],
    icon: 'fa:sign-out-alt',
    maxNodes: 1,
  },
  execute: (context) => [calledItems(context)],
};
