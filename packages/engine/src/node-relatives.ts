import type { GraphIndex, WorkflowNode } from '@sluice/domain';

/** Lists the nodes before or after a node along `main` connections. Empty for an unknown name. */
export function relativesOf(index: GraphIndex, nodeName: string, side: 'before' | 'behind'): WorkflowNode[] {
  const found = side === 'before' ? index.ancestorsOf([nodeName]) : index.descendantsOf([nodeName]);
  found.delete(nodeName);
  return [...found].flatMap((name) => index.nodes.get(name) ?? []);
}
