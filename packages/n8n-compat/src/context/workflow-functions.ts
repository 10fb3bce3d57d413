import type { ExecuteContext } from '@sluice/node-sdk';

/** What a run is told of its workflow. */
export function workflowFunctions(context: ExecuteContext) {
  return {
    getWorkflowSettings: () => ({ timezone: context.workflow.timezone }),
    getInputSourceData: () => ({ previousNode: '' }),
    getParentNodes: (name: string) => relativesOf(context, name, 'before'),
    getChildNodes: (name: string) => relativesOf(context, name, 'behind'),
  };
}

function relativesOf(context: ExecuteContext, name: string, side: 'before' | 'behind'): object[] {
  const nodes = context.relatives?.(name, side) ?? [];
  return nodes.map((node) => ({
    name: node.name,
    type: node.type,
    typeVersion: node.typeVersion ?? 1,
    disabled: node.disabled === true,
  }));
}
