import type { TriggerSpec, WorkflowSettings } from '@sluice/domain';
import type { ExecuteContext } from './context.ts';

export type {
  MisfirePolicy,
  OverlapPolicy,
  ScheduleRule,
  ScheduleTrigger,
  TriggerSpec,
  WorkflowEvent,
  WorkflowSettings,
  WorkflowTrigger,
} from '@sluice/domain';
export { misfirePolicies, overlapPolicies, workflowEvents } from '@sluice/domain';

/**
 * What a trigger node is asked with when its workflow is activated. There are no items yet, so expressions in its parameters see the workflow, `$vars` and
 * `$env` alone.
 */
export interface TriggerContext extends Pick<ExecuteContext, 'node' | 'typeVersion' | 'parameter'> {
  readonly workflow: { readonly id: string; readonly name: string; readonly settings: Readonly<WorkflowSettings> };
}

/**
 * What a node of this type listens to while its workflow is active: asked once, at activation, for each node that is not disabled. A function of
 * the context and nothing else. What it throws refuses the activation, naming the node.
 *
 * An execution that a trigger starts begins with the node's `execute`, which finds what has happened in its items: for a schedule, one item with
 * `timestamp`, the instant of the tick as ISO 8601 in UTC; for what happens to the workflow itself, one with `event` and `timestamp`.
 */
export type ListTriggers = (context: TriggerContext) => readonly TriggerSpec[];
