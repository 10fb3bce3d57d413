import type { GraphIndex, WorkflowNode } from '@sluice/domain';

/** Lists the nodes before or after a node along `main` connections. Empty for an unknown name. */
export function relativesOf(index: GraphIndex, nodeName: string, side: 'before' | 'after'): WorkflowNode[] {
  const names = side === 'before' ? index.ancestorsOf([nodeName]) : index.descendantsOf([nodeName]);
  names.delete(nodeName);
  return [...names].flatMap((name) => index.nodes.get(name) ?? []);
}
