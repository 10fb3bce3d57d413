import type { NodeType } from '@sluice/node-sdk';
import { eventsProperty, workflowEventTrigger } from '../../shared/workflow-events/workflow-event-trigger.ts';

/** Starts when its own workflow is activated, or changes to another version while active. */
export const workflowTrigger: NodeType = {
  description: {
    displayName: 'Workflow Trigger',
    name: 'workflow-trigger',
    deprecated: true,
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when it is activated, or when another version of it becomes active',
    defaults: { name: 'Workflow Trigger' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [eventsProperty()],
    icon: 'fa:network-wired',
    iconColor: 'orange',
  },
  ...workflowEventTrigger,
};
