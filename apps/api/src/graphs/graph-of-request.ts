import { checkGraph, type RunWorkflowBody } from '@sluice/contract';
import { ValidationError, type WorkflowGraph } from '@sluice/domain';
import { toGraph } from './to-graph.ts';

/**
 * The graph of a request, which runs instead of the stored one. `name`: used if it has no name.
 * Throws `ValidationError`.
 */
export function graphOfRequest(
  workflowData: NonNullable<RunWorkflowBody['workflowData']>,
  { name, maxNodes }: { name: string; maxNodes: number },
): WorkflowGraph {
  const graph = toGraph({ name, ...workflowData });
  const issues = checkGraph(graph, { maxNodes }).map(({ path, message }) => ({ path: `/workflowData${path}`, message }));
  if (issues.length > 0) throw new ValidationError('the workflow is not valid', issues);
  return graph;
}
