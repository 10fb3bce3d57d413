import { aiIdentifiersOf, type ExecuteContext, isJsonObject, type WorkflowNode } from '@sluice/node-sdk';

const triggers: ReadonlySet<string> = new Set(aiIdentifiersOf('chat-trigger'));

/** The Chat Trigger before a node. */
export function chatTriggerOf(context: ExecuteContext): Readonly<WorkflowNode> | undefined {
  return context.relatives?.(context.node.name, 'before').find(({ type }) => triggers.has(type));
}

/** Whether only nodes that respond to the chat may write to it. */
export function respondsByNodes(context: ExecuteContext): boolean {
  const options = chatTriggerOf(context)?.parameters['options'];
  return isJsonObject(options) && options['responseMode'] === 'responseNodes';
}
