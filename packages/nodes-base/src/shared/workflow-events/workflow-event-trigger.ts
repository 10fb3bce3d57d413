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

/** The events that a workflow is told of itself, as the parameter `events` offers them. */
export const workflowEventChoices: readonly NodePropertyOption[] = choices(
  ['activate', 'Workflow Activated', 'The workflow was inactive, and is activated'],
  ['update', 'Active Workflow Updated', 'The workflow is active, and another version of it takes the place of the active one'],
);

export const eventsProperty = (options: readonly NodePropertyOption[] = workflowEventChoices): NodeProperty => ({
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  default: [],
  required: true,
  options,
  description:
    'What starts the workflow. Changes to other workflows do not, nor does a version that is stored and not activated',
});

/** What a node listens to and gives that starts with what happens to its own workflow. */
export const workflowEventTrigger: Pick<NodeType, 'triggers' | 'execute'> = {
  triggers: (context) => [specOf(context)],
  execute: (context) => [[itemOf(context)]],
};

function specOf(context: TriggerContext): WorkflowTrigger {
  const asked = namesParameter(context, 'events', 0);
  if (asked.includes('init')) {
    const hint = 'Instances are many processes, which come and go; start the workflow by a schedule, or through the API';
    throw unsupported('the event "init" (instance started)', hint);
  }
  const events = workflowEvents.filter((event) => asked.includes(event));
  const unknown = asked.find((event) => !events.some((known) => known === event));
  if (unknown !== undefined)
    throw new NodeOperationError(`the parameter "events" has to name events, and has "${unknown}"`, {
      description: 'Choose events of the list',
    });
  if (events.length === 0)
    throw new NodeOperationError('the parameter "events" has to name an event at least', {
      description: 'Choose events of the list',
    });
  return { kind: 'workflow', events };
}

/** Run by hand, there is no event: the item says so. */
function itemOf(context: ExecuteContext): Item {
  const { event = 'manual', timestamp } = (context.items()[0]?.json ?? {}) as { event?: WorkflowEvent; timestamp?: string };
  const at = timestamp === undefined ? DateTime.now() : DateTime.fromISO(timestamp);
  return { json: { event, timestamp: at.setZone(context.workflow.timezone).toISO(), workflow_id: context.workflow.id } };
}
