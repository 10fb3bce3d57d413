import type { NodeType } from '@sluice/node-sdk';
import { choices } from '../../shared/properties.ts';
import {
  eventsProperty,
  workflowEventChoices,
  workflowEventTrigger,
} from '../../shared/workflow-events/workflow-event-trigger.ts';

/** The workflow trigger, under its name in newer files of the de-facto format. */
export const n8nTrigger: NodeType = {
  description: {
    displayName: 'n8n Trigger',
    name: 'n8n-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when it is activated, or when another version of it becomes active. An instance start is not available as an event',
    defaults: { name: 'n8n Trigger' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      eventsProperty([
        ...workflowEventChoices,
        ...choices(['init', 'Instance started', 'Not supported: prevents the activation of the workflow']),
      ]),
    ],
    icon: 'fa:network-wired',
    iconColor: 'orange',
  },
  ...workflowEventTrigger,
};
