import { errorWorkflowOf, type WorkflowId, type WorkflowSettings } from '@sluice/domain';

/**
 * The workflow that a graph of `workflowId` starts when it fails: the error workflow in its
 * settings, or itself if it has an error trigger.
 */
export function errorWorkflowIdOf(
  workflowId: WorkflowId,
  { settings, nodes }: { settings?: WorkflowSettings | undefined; nodes: readonly { type: string; disabled?: boolean }[] },
): WorkflowId | null {
  const catchesOwn = nodes.some(({ type, disabled }) => !disabled && /\.error-?trigger$/i.test(type));
  return errorWorkflowOf(settings) ?? (catchesOwn ? workflowId : null);
}
