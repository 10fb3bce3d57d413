import type { NodeProperty } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';

/** Matches browser URLs of a workflow. */
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

export const listProperties = listPropertiesOf(100, true);
