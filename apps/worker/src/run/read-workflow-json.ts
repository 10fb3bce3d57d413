import { checkGraph, compileValidator, workflowData } from '@sluice/contract';
import type { GraphContent } from '@sluice/db';
import { isJsonObject, type JsonObject, type JsonValue, ValidationError } from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';

const validate = compileValidator(workflowData);

/**
 * Reads the workflow that a node contains, and checks it by the rules for saved workflows, on which
 * the engine depends. Positions and parameters may be missing, and the name may be longer. Node
 * types and parameters are checked when it runs.
 */
export function readWorkflowJson({ name, nodes, connections, settings }: JsonObject, maxNodes: number): GraphContent {
  try {
    const graph = validate({
      nodes: Array.isArray(nodes) ? nodes.map(completed) : nodes,
      connections: connections ?? {},
      ...(isJsonObject(settings) && { settings }),
    });
    const issues = checkGraph(graph, { maxNodes });
    if (issues.length > 0) throw new ValidationError('the workflow is not valid', issues);
    return { ...graph, name: typeof name === 'string' ? name : 'sub-workflow' } as GraphContent;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const issues = error.details as unknown as { path: string; message: string }[];
    throw notCallable('the JSON is not a workflow', issues.map(({ path, message }) => `${path} ${message}`).join('; '));
  }
}

function completed(node: JsonValue): JsonValue {
  return isJsonObject(node) ? { position: [0, 0], parameters: {}, ...node } : node;
}

export function notCallable(message: string, description: string): NodeOperationError {
  return new NodeOperationError(message, { description }, 'WORKFLOW_NOT_CALLABLE');
}
