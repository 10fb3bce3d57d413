import type { Connections, JsonObject, WorkflowGraph, WorkflowNode } from '@sluice/domain';

/** A node with defaults for the fields that a test does not set. */
export function aNode(node: Partial<WorkflowNode> & Pick<WorkflowNode, 'name' | 'type'>): WorkflowNode {
  return { position: [0, 0], parameters: {}, ...node };
}

/** A workflow in which the first output of each node connects to the next node. */
export function aChain(nodes: readonly WorkflowNode[], changes: Partial<WorkflowGraph> = {}): WorkflowGraph {
  const connections: Connections = {};
  nodes.slice(1).forEach((node, index) => {
    const source = nodes[index] as WorkflowNode;
    connections[source.name] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
  });
  const placed = nodes.map((node, index): WorkflowNode => ({ ...node, position: [index * 200, 0] }));
  return { name: 'a workflow', nodes: placed, connections, settings: {}, ...changes };
}

/** The small workflow of most tests: a manual trigger, then a node that sets `fields`. */
export function aSmallWorkflow(fields: JsonObject = { answer: 42 }): WorkflowGraph {
  const jsonOutput = JSON.stringify(fields);
  return aChain([
    aNode({ name: 'Start', type: 'base.manual-trigger' }),
    aNode({ name: 'Set', type: 'base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput } }),
  ]);
}

/**
 * A condition of an If or Filter node, for `conditions.conditions`, with the unknown operation
 * `resembles`.
 */
export const anUnknownComparison = { leftValue: 1, rightValue: 1, operator: { type: 'number', operation: 'resembles' } };
