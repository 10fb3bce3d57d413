import {
  type ExecuteContext,
  type Item,
  NodeOperationError,
  type NodeProperty,
  type NodePropertyOption,
  type NodeType,
  type TriggerContext,
  type WorkflowEvent,
  type WorkflowTrigger,
  workflowEvents,
} from '@sluice/node-sdk';
import { DateTime } from 'luxon';
import { namesParameter, unsupported } from '../parameters.ts';
import { choices } from '../properties.ts';

/** Events of the node's own workflow, as offered in the parameter `events`. */
export const workflowEventChoices: readonly NodePropertyOption[] = choices(
  ['activate', 'Workflow Activated', 'The workflow was inactive and is activated'],
  ['update', 'Active Workflow Updated', 'Another version of the active workflow becomes active'],
);

export const eventsProperty = (options: readonly NodePropertyOption[] = workflowEventChoices): NodeProperty => ({
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  default: [],
  required: true,
  options,
  description:
    'Events that start the workflow. Changes to other workflows and versions that are saved but not activated do not',
});

/** Triggers and output of a node that starts on events of its own workflow. */
export const workflowEventTrigger: Pick<NodeType, 'triggers' | 'execute'> = {
  triggers: (context) => [specOf(context)],
  execute: (context) => [[itemOf(context)]],
};

function specOf(context: TriggerContext): WorkflowTrigger {
  const chosen = namesParameter(context, 'events', 0);
  if (chosen.includes('init')) {
    const hint =
      'An instance consists of many processes that start and stop; start the workflow on a schedule or through the API';
    throw unsupported('the event "init" (instance started)', hint);
  }
  const events = workflowEvents.filter((event) => chosen.includes(event));
  const unknown = chosen.find((event) => !events.some((candidate) => candidate === event));
  if (unknown !== undefined)
    throw new NodeOperationError(`the parameter "events" must contain known events, but has "${unknown}"`, {
      description: 'Choose events from the list',
    });
  if (events.length === 0)
    throw new NodeOperationError('the parameter "events" must name at least one event', {
      description: 'Choose events from the list',
    });
  return { kind: 'workflow', events };
}

/** A manual run has no event; the item states this. */
function itemOf(context: ExecuteContext): Item {
  const { event = 'manual', timestamp } = (context.items()[0]?.json ?? {}) as { event?: WorkflowEvent; timestamp?: string };
  const at = timestamp === undefined ? DateTime.now() : DateTime.fromISO(timestamp);
  return { json: { event, timestamp: at.setZone(context.workflow.timezone).toISO(), workflow_id: context.workflow.id } };
}
