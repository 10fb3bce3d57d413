import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, number, text, toggle, where } from '@sluice/nodes-base/node-tools';

/** In addresses of a workflow in the browser. */
export const workflowUrl = /\/workflows?\/([\w-]+)/;

export const workflowId = text('workflowId', 'Workflow', 'The workflow: from the list, by ID, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'searchWorkflows' },
});

export const workflowObject: NodeProperty = {
  displayName: 'Workflow Object',
  name: 'workflowObject',
  type: 'json',
  default: '{ "name": "My workflow", "nodes": [], "connections": {}, "settings": {} }',
  required: true,
  description: 'JSON of the workflow, as an export or `Get` returns it',
};

export const listProperties: readonly NodeProperty[] = [
  toggle('returnAll', 'Return All', 'Whether to return all results instead of up to a limit', { default: true }),
  atLeast(1, number('limit', 'Limit', 100, 'Most results', where({ returnAll: [false] }))),
];
