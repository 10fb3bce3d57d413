import type { ValidationIssue, WorkflowGraph } from '@sluice/domain';
import type { NodeType } from '@sluice/node-sdk';
import type { NodeTypeProvider } from '../ports.ts';

/**
 * Returns an issue for each node above the limit of its type (`maxNodes`). Disabled nodes are not
 * counted.
 */
export function excessNodes({ nodes }: Pick<WorkflowGraph, 'nodes'>, nodeTypes: NodeTypeProvider): ValidationIssue[] {
  const counts = new Map<NodeType, number>();
  return nodes.flatMap((node, index) => {
    const type = nodeTypes.find(node.type);
    const max = type?.description.maxNodes;
    if (!type || max === undefined || node.disabled) return [];
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    if (count <= max) return [];
    const message = `node "${node.name}": a workflow has at most ${max} of the type ${node.type}`;
    return [{ path: `/nodes/${index}/type`, message }];
  });
}
