import type { ExecuteContext } from '@sluice/node-sdk';

export function workflowFunctions(context: Pick<ExecuteContext, 'workflow' | 'relatives'>) {
  return {
    getWorkflowSettings: () => ({ timezone: context.workflow.timezone }),
    getParentNodes: (name: string) => relativesOf(context, name, 'before'),
    getChildNodes: (name: string) => relativesOf(context, name, 'after'),
  };
}

function relativesOf(context: Pick<ExecuteContext, 'relatives'>, name: string, side: 'before' | 'after'): object[] {
  const nodes = context.relatives?.(name, side) ?? [];
  return nodes.map((node) => ({
    name: node.name,
    type: node.type,
    typeVersion: node.typeVersion ?? 1,
    disabled: node.disabled === true,
  }));
}
