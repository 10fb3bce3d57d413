import { checkGraph, type RunWorkflowBody } from '@sluice/contract';
import type { GraphContent } from '@sluice/db';
import { ValidationError, type WorkflowGraph } from '@sluice/domain';

type GraphInput = {
  [Part in 'name' | 'nodes' | 'connections' | 'settings' | 'pinData']?: WorkflowGraph[Part] | null | undefined;
};

/**
 * The graph of a body; absent parts come from `current`. Empty settings and pinned data are
 * dropped, so that equal content is stored once.
 */
export function toGraph(source: GraphInput, current?: GraphContent): GraphContent {
  const { name = current?.name, nodes = current?.nodes, connections = current?.connections } = source;
  const settings = source.settings === undefined ? current?.settings : source.settings;
  const pinData = source.pinData === undefined ? current?.pinData : source.pinData;
  return {
    name: name ?? '',
    nodes: nodes ?? [],
    connections: connections ?? {},
    ...(isEmpty(settings) ? {} : { settings: settings as NonNullable<typeof settings> }),
    ...(isEmpty(pinData) ? {} : { pinData: pinData as NonNullable<typeof pinData> }),
  };
}

function isEmpty(object: object | null | undefined): boolean {
  return object === null || object === undefined || Object.keys(object).length === 0;
}

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
