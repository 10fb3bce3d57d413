import type { GraphIndex, WorkflowNode } from '@sluice/domain';

/** The nodes before a node of a workflow, or behind it, along `main`; none for a name that no node has. */
export function relativesOf(index: GraphIndex, nodeName: string, side: 'before' | 'behind'): WorkflowNode[] {
  const found = side === 'before' ? index.ancestorsOf([nodeName]) : index.descendantsOf([nodeName]);
  found.delete(nodeName);
  return [...found].flatMap((name) => index.nodes.get(name) ?? []);
}
