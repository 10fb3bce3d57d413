import type { Item, JsonObject } from '@sluice/domain';
import type { EvaluationScope, NodeRunView } from '../api.ts';
import { notExecuted, unknownNode } from '../guest/messages.ts';
import type { GuestScope } from '../protocol.ts';
import type { CallOrigin } from '../thread-limits.ts';

/** The reason why a reference has no value; becomes the message of an `ExpressionError`. */
export class ReferenceFailure extends Error {}

/**
 * Number of times that a node's expressions are evaluated: once per item, and once for a node
 * without items.
 */
export function evaluationCount(scope: EvaluationScope): number {
  return Math.max(1, itemCountOf(scope));
}

/** Number of items that the node accepts. */
export function itemCountOf(scope: EvaluationScope): number {
  return scope.itemCount ?? scope.items.length;
}

/** Items of a node's last run, from the output that leads to this node. */
export function lastItemsOf(scope: EvaluationScope, name: string): readonly Item[] {
  return lastRunOf(scope, name).outputs[scope.outputOf(name)] ?? [];
}

export function lastRunOf(scope: EvaluationScope, name: string): NodeRunView {
  const run = knownRunsOf(scope, name).at(-1);
  if (!run) throw new ReferenceFailure(notExecuted(name));
  return run;
}

export function knownRunsOf(scope: EvaluationScope, name: string): readonly NodeRunView[] {
  const runs = scope.runsOf(name);
  if (!runs) throw new ReferenceFailure(unknownNode(name));
  return runs;
}

export function workflowView({ workflow }: EvaluationScope): { id: string; name: string; active: boolean } {
  return { id: workflow.id, name: workflow.name, active: workflow.active };
}

/**
 * The two modes in the expression language: `test` for a manual run, `production` for all others.
 */
export function executionView({ execution }: EvaluationScope): GuestScope['execution'] {
  const { id, mode, resumeUrl, resumeFormUrl } = execution;
  return {
    id,
    mode: mode === 'manual' ? 'test' : 'production',
    ...(resumeUrl !== undefined && { resumeUrl }),
    ...(resumeFormUrl !== undefined && { resumeFormUrl }),
  };
}

/**
 * Data that a node stores between its runs. Throws a `ReferenceFailure` for a node that does not
 * exist.
 */
export function contextOf(scope: EvaluationScope, name: string): JsonObject {
  knownRunsOf(scope, name);
  return scope.contextOf(name) ?? {};
}

export function originOf({ workflow, node }: EvaluationScope): CallOrigin {
  return { projectId: workflow.projectId, workflowId: workflow.id, nodeName: node.name };
}
