import type { TriggerSpec, WorkflowSettings } from '@sluice/domain';
import type { ExecuteContext } from '../context.ts';

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
 * A trigger node's context during activation. There are no items yet, so expressions in its
 * parameters can use only the workflow, `$vars`, and `$env`.
 */
export interface TriggerContext extends Pick<ExecuteContext, 'node' | 'typeVersion' | 'parameter'> {
  readonly workflow: { readonly id: string; readonly name: string; readonly settings: Readonly<WorkflowSettings> };
}

/**
 * The triggers of a node of this type while its workflow is active. Called once at activation for
 * each enabled node. A pure function of the context. An error rejects the activation and names the
 * node.
 *
 * A trigger's execution begins with the node's `execute`, whose items describe the event. For a
 * schedule: one item with `timestamp`, the time of the tick as ISO 8601 in UTC. For an event of
 * the workflow itself: one item with `event` and `timestamp`.
 */
export type ListTriggers = (context: TriggerContext) => readonly TriggerSpec[];
