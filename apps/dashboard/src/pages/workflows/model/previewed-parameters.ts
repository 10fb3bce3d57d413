import type { Draft } from './graph.ts';

/** Name of the previewed expression in the parameters of the request. */
export const previewedName = 'previewedExpression';

/**
 * The parameters for the preview of an expression. The service evaluates all of them, so they
 * include those of the node only if the expression may read them.
 */
export function previewedParameters({ nodes }: Draft, nodeName: string, expression: string): Record<string, unknown> {
  const node = /\$(parameter|rawParameter)\b/.test(expression) ? nodes.find(({ name }) => name === nodeName) : undefined;
  return { ...node?.parameters, [previewedName]: expression };
}
