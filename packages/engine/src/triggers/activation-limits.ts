import { type TriggerSpec, ValidationError, type ValidationIssue, type WorkflowGraph } from '@sluice/domain';
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

/**
 * Maximum number of schedule rules and poll times across a workflow's nodes. The next tick of a
 * node is computed from all its rules.
 */
const maxRules = 100;

/** Counts the schedule rules and poll times of one workflow's nodes. */
export class RuleCount {
  #count = 0;

  /** Adds a node's rules. Throws `ValidationError` for the node that exceeds the maximum. */
  add(specs: readonly TriggerSpec[]): void {
    const before = this.#count;
    for (const spec of specs) if (spec.kind === 'schedule' || spec.kind === 'poll') this.#count += spec.rules.length;
    if (before > maxRules || this.#count <= maxRules) return;
    throw new ValidationError(`a workflow has at most ${maxRules} schedule rules and poll times, over all its nodes`, '');
  }
}
